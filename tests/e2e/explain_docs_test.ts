import assert from "node:assert/strict";
import { copyExample, programTest, runProgram } from "./program.ts";

const PAGE = new URL("../../docs/explain.md", import.meta.url);
/** A block of commands, and the block of output that follows it at once. */
const EXAMPLE_REGEXP = /^```sh\n((?:(?!```).*\n)*)```\n\n```text\n((?:(?!```).*\n)*)```$/gm;

programTest("docs/explain.md: its commands print what the page shows", async (subject, folder) => {
  const cwd = copyExample("branching", folder);
  const examples = [...Deno.readTextFileSync(PAGE).matchAll(EXAMPLE_REGEXP)];
  assert.equal(examples.length, 3);
  const words = [subject.command, ...subject.args].map((word) => `'${word}'`).join(" ");
  for (const [, commands = "", expected = ""] of examples) {
    const { code, stdout, stderr } = await new Deno.Command("/bin/sh", {
      args: ["-c", `eventboat() { ${words} "$@"; }\n${commands}`],
      cwd,
      env: { NO_COLOR: "1" },
    }).output();
    const decoder = new TextDecoder();
    assert.equal(code, 0, decoder.decode(stderr));
    assert.equal(decoder.decode(stdout).trimEnd(), expected.trimEnd());
  }
});

programTest("explain: writes the drawing, and tells of a file with many messages", async (subject, folder) => {
  const cwd = copyExample("branching", folder);
  const drawn = await runProgram(subject, ["explain", "--config", "pipeline.yaml", "--svg", "p.svg", "--json"], {
    cwd,
  });
  assert.equal(JSON.parse(drawn.stdout).svg, "p.svg");
  assert.match(Deno.readTextFileSync(`${cwd}/p.svg`), /^<svg /);
  const many = ["explain", "--config", "pipeline.yaml", "--message", "payments.ndjson"];
  const { code, stderr } = await runProgram(subject, many, { cwd });
  assert.equal(code, 0);
  assert.match(stderr, /a sample is one message/);
});
