/** Does what docs/dead-letters.md says, command by command. */

import assert from "node:assert/strict";
import { jsonLines, programTest, runProgram } from "./program.ts";

const PAGE = Deno.readTextFileSync(new URL("../../docs/dead-letters.md", import.meta.url));
/** A file that the page shows, the commands it gives, or what one prints. */
const BLOCK_REGEXP = /^```(\w+) ?(\S*)\n([\s\S]*?)^```$/gm;
const COMMAND_REGEXP = /^eventboat (.*?)(?: # exit (\d))?$/;
const WORD_REGEXP = /'([^']*)'|(\S+)/g;

programTest("docs/dead-letters.md: every command does what the page says", async (subject, cwd) => {
  let printed = "";
  let compared = 0;
  for (const [, language, name = "", body = ""] of PAGE.matchAll(BLOCK_REGEXP)) {
    if (name !== "") Deno.writeTextFileSync(`${cwd}/${name}`, body);
    else if (language === "text") {
      assert.equal(printed, body);
      compared++;
    }
    if (language !== "sh") continue;
    for (const line of body.trim().split("\n")) {
      const [, command = "", exit = "0"] = COMMAND_REGEXP.exec(line) ?? [];
      const args = [...command.matchAll(WORD_REGEXP)].map(([, quoted, plain]) => quoted ?? plain ?? "");
      const { code, stdout, stderr } = await runProgram(subject, args, { cwd, env: { NO_COLOR: "1" } });
      assert.equal(code, Number(exit), `${line}\n${stdout}${stderr}`);
      assert.ok(!stdout.includes("4111"), line);
      printed = stdout;
    }
  }
  assert.equal(compared, 3);
  assert.deepEqual(jsonLines(`${cwd}/letters.ndjson`).map(({ id }) => id), [1, 2]);
  const priced = jsonLines(`${cwd}/priced.ndjson`).map(({ order, total }) => [order, total]);
  assert.deepEqual(priced, [[1, 6], [3, 20], [2, 1], [4, 7], [1, 6], [2, 1], [3, 20]]);
});
