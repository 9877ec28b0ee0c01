import assert from "node:assert/strict";
import { processTerminal } from "./terminal.ts";

/** A stream that takes a few bytes at a time, or fails. */
class TestStream {
  text = "";
  calls = 0;
  readonly #failure: Error | undefined;

  constructor(failure?: Error) {
    this.#failure = failure;
  }

  writeSync(bytes: Uint8Array): number {
    this.calls++;
    if (this.#failure !== undefined) throw this.#failure;
    const taken = bytes.subarray(0, 3);
    this.text += new TextDecoder().decode(taken);
    return taken.length;
  }
}

Deno.test("processTerminal: writes all of a text, however little a stream takes at a time", () => {
  const [stdout, stderr] = [new TestStream(), new TestStream()];
  const terminal = processTerminal(stdout, stderr);
  terminal.out("an answer\n");
  terminal.err("a log line\n");
  assert.deepEqual([stdout.text, stderr.text], ["an answer\n", "a log line\n"]);
});

Deno.test("processTerminal: a stderr that takes nothing, such as one on a full disk, stops no work", () => {
  const stderr = new TestStream(new Error("No space left on device (os error 28)"));
  processTerminal(new TestStream(), stderr).err("a log line\n");
  assert.equal(stderr.calls, 1);
});

Deno.test("processTerminal: an answer that cannot be written is an error, once; a reader that has gone is none", () => {
  const full = processTerminal(new TestStream(new Error("No space left on device (os error 28)")), new TestStream());
  assert.throws(() => full.out("{}"), { code: "io", message: /^cannot write to stdout: No space left/ });
  full.out("the report of that very error");
  const gone = new TestStream(new Deno.errors.BrokenPipe("Broken pipe (os error 32)"));
  processTerminal(gone, new TestStream()).out("{}");
  assert.equal(gone.calls, 1);
});
