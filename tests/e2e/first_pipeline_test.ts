/** Does what docs/first-pipeline.md says, block by block, in one folder. */

import assert from "node:assert/strict";
import { programTest, type Subject } from "./program.ts";

const PAGE = new URL("../../docs/first-pipeline.md", import.meta.url);
/** A block of commands, and the block of output that may follow it at once. */
const STEP_REGEXP = /^```sh\n([\s\S]*?)^```\n(?:\n```text\n([\s\S]*?)^```$)?/gm;
/** What is another with each run: durations, times, ids, where the folder is and the machine's name. */
const VARYING: readonly [RegExp, string][] = [
  [/\(\d+ ms\)/g, "(N ms)"],
  [/after \d+\.\d s/g, "after N s"],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "TIME"],
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID"],
  [/"file_path": "[^"]*\/orders\//g, '"file_path": "FOLDER/orders/'],
  [/"host": "[^"]*"/g, '"host": "HOST"'],
];
/** `UPDATE_GOLDEN=1 deno test -A tests/e2e/first_pipeline_test.ts` writes what is printed into the page. */
const UPDATE = Deno.env.get("UPDATE_GOLDEN") === "1";
/** Where a block tells the next one which folder it ended in. */
const FOLDER_FILE = ".folder";

programTest("docs/first-pipeline.md: every block prints what stands below it", async (subject, root) => {
  let page = await Deno.readTextFile(PAGE);
  let cwd = root;
  let compared = 0;
  for (const [step, commands = "", expected] of [...page.matchAll(STEP_REGEXP)]) {
    const printed = await typed(commands, { subject, cwd, root });
    cwd = (await Deno.readTextFile(`${root}/${FOLDER_FILE}`)).trim();
    if (expected === undefined) assert.equal(printed, "", `nothing is shown below\n${commands}`);
    else compared++;
    if (UPDATE && expected !== undefined && steady(printed) !== steady(expected)) {
      page = page.replace(step, () => step.replace(/```text\n[\s\S]*/, () => `\`\`\`text\n${printed}\`\`\``));
    } else assert.equal(steady(printed), steady(expected ?? ""), commands);
  }
  if (UPDATE) await Deno.writeTextFile(PAGE, page);
  assert.equal(compared, 16);
});

interface Place {
  readonly subject: Subject;
  readonly cwd: string;
  readonly root: string;
}

/** What a shell prints for a block; a command that fails leaves its trace in what it prints. */
async function typed(commands: string, { subject, cwd, root }: Place): Promise<string> {
  const variables = Object.entries(subject.env).map(([name, value]) => `${name}=${quoted(value)} `).join("");
  const words = [subject.command, ...subject.args].map(quoted).join(" ");
  const script = `eventboat() { ${variables}${words} "$@"; }\n${commands}\npwd > ${quoted(`${root}/${FOLDER_FILE}`)}`;
  const options = { args: ["-c", script], cwd, env: { NO_COLOR: "1" } };
  const { stdout, stderr } = await new Deno.Command("/bin/sh", options).output();
  const decoder = new TextDecoder();
  const said = decoder.decode(stderr);
  // Logs are left out of the page; errors of the program and of the shell are none.
  assert.doesNotMatch(said, /^(?:error|usage|\/bin\/sh|[a-z]+:)/m, commands);
  return decoder.decode(stdout);
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

function steady(text: string): string {
  return VARYING.reduce((rest, [varying, name]) => rest.replaceAll(varying, name), text);
}
