/** A file that may not be read, also where the tests run as root: root gives up its way past the mode bits. */

import assert from "node:assert/strict";
import { programTest, runProgram, type Subject } from "../e2e/program.ts";

/** Runs the program without the capabilities that let root read what nobody may. */
function withoutOverride(subject: Subject): Subject {
  if (Deno.uid() !== 0) return subject;
  const bounding = "--bounding-set=-dac_override,-dac_read_search";
  return { ...subject, command: "/usr/bin/setpriv", args: [bounding, subject.command, ...subject.args] };
}

programTest("file source: a file that may not be read fails the source, by name", async (subject, folder) => {
  await Deno.writeTextFile(`${folder}/secret.log`, `{"n":1}\n`);
  await Deno.chmod(`${folder}/secret.log`, 0);
  await Deno.writeTextFile(
    `${folder}/pipeline.yaml`,
    `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: unreadable }
run: { mode: batch }
sources:
  in:
    file: { path: "*.log", on_eof: stop }
sinks:
  out:
    depends_on: [in]
    drop: {}
`,
  );
  const args = ["run", "--json", "--ephemeral", "--config", "pipeline.yaml"];
  const { code, stdout } = await runProgram(withoutOverride(subject), args, { cwd: folder });
  const { status, failure } = JSON.parse(stdout);
  assert.deepEqual([code, status, failure.node], [1, "failed", "in"]);
  assert.match(failure.message, /secret\.log/);
});
