import assert from "node:assert/strict";
import { type Finished, programTest, type Subject } from "./program.ts";
import { TypedProgram, typedProgramTest } from "./typed_program.ts";

/** A prompt on a line of its own; a line that is edited is drawn anew without a line's end before it. */
const PROMPT = "\n\x1b[1G\x1b[0J>>> ";
const MORE_PROMPT = "\n\x1b[1G\x1b[0J... ";
const CEL_PROMPT = "\n\x1b[1G\x1b[0Jcel> ";

/** Runs `repl` with something on its standard input. */
async function repl(subject: Subject, cwd: string, args: readonly string[], input = ""): Promise<Finished> {
  const child = new Deno.Command(subject.command, {
    args: [...subject.args, "repl", ...args],
    cwd,
    env: { ...subject.env, NO_COLOR: "1" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  // A program that does not read its input may have ended before all of it is written.
  await writer.write(new TextEncoder().encode(input)).then(() => writer.close()).catch(() => {});
  const { code, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

programTest("repl --script: prints first, then what changed; --json has every digit", async (subject, cwd) => {
  Deno.writeTextFileSync(`${cwd}/up.star`, 'print("from", payload.n)\npayload.n += 1\nmeta.route = "a"\n');
  Deno.writeTextFileSync(`${cwd}/m.json`, '{"n": 9007199254740993}');
  const text = await repl(subject, cwd, ["--script", "up.star", "--message", "m.json"]);
  assert.equal(text.code, 0, text.stderr);
  assert.match(
    text.stdout,
    /^from 9007199254740993\n~ payload\.n: 9007199254740993 -> 9007199254740994\n\+ meta\.route: "a"\n\d+ steps\n$/,
  );
  const json = await repl(subject, cwd, ["--script", "-", "--message", "m.json", "--json"], "payload.n += 1");
  assert.match(json.stdout, /"n": 9007199254740994\n/);
  assert.equal(JSON.parse(json.stdout).ok, true);
});

programTest("repl: what fails ends with 1 and its place, what cannot be read with 2", async (subject, cwd) => {
  Deno.writeTextFileSync(`${cwd}/bad.star`, "a = nope\nb = also_nope\n");
  const text = await repl(subject, cwd, ["--script", "bad.star"]);
  assert.equal(text.code, 1);
  assert.match(text.stderr, /^error\[compile\] bad\.star:1:5: .*\n {2}1 \| a = nope\n[\s\S]*bad\.star:2:5/);
  const json = await repl(subject, cwd, ["--json", "--cel", "payload.none"]);
  assert.equal(json.code, 1);
  const { ok, error } = JSON.parse(json.stdout);
  assert.deepEqual([ok, error.kind, error.line, error.column], [false, "runtime", 1, 8]);
  for (const args of [["--script", "none.star"], ["--cel", "1", "--message", "-"], ["--message", "-"]]) {
    const { code, stderr } = await repl(subject, cwd, args, "{");
    assert.equal(code, 2);
    assert.match(stderr, /^usage: [^\n]*\n$/);
  }
});

programTest("repl: a message stands on the command line", async (subject, cwd) => {
  const given = await repl(subject, cwd, ["--cel", "payload.a", "--message", '{"a": 1}'], "");
  assert.deepEqual(given, { code: 0, stdout: "1  (double)\n", stderr: "" });
});

programTest(
  "repl: lines of a pipe are answered without prompts, a failed one makes it end with 1",
  async (subject, cwd) => {
    const lines = "def twice(x):\n  y = x\n\n  return y * 2\ntwice(4)\nprint('p')\n:cel payload == {}\n";
    const good = await repl(subject, cwd, [], lines);
    assert.deepEqual(good, { code: 0, stdout: "8\np\ntrue\n", stderr: "" });
    const bad = await repl(subject, cwd, [], "x = 1\nx.foo\nx\n");
    assert.deepEqual([bad.code, bad.stdout], [1, "1\n"]);
    assert.match(bad.stderr, /^error\[runtime\] script:2:2/);
  },
);

typedProgramTest(
  "repl on a terminal: lines are edited, completed, dropped and kept for the next console",
  async (subject, cwd) => {
    const env = { XDG_STATE_HOME: `${cwd}/state` };
    {
      await using program = new TypedProgram(subject, ["repl"], { cwd, env });
      await program.answers("", PROMPT);
      await program.answers("x = 20 +\x01\x1b[C\x1b[C\x1b[C\x1b[C\x0b1\r", PROMPT);
      assert.match(await program.answers("x\r", PROMPT), /\b1\r?\n/);
      assert.match(await program.answers("def f(a):\r", MORE_PROMPT), /def f/);
      await program.answers("  return a * 1111\r", MORE_PROMPT);
      await program.answers("\r", PROMPT);
      assert.match(await program.answers("f(2)\r", PROMPT), /\b2222\r?\n/);
      assert.match(await program.answers("\x1b[A\x1b[D3\r", PROMPT), /\b25553\r?\n/);
      await program.answers("f(", "f(");
      await program.answers("\x03", PROMPT);
      await program.answers("payl", "payl");
      await program.answers("\t", "oad");
      assert.match(await program.answers("\r", PROMPT), /\{\}\r?\n/);
      await program.answers(":cel\r", CEL_PROMPT);
      assert.match(await program.answers("1 + 1\r", CEL_PROMPT), /\b2 {2}\(int\)/);
      assert.equal(await program.ends("\x04"), 0);
    }
    const file = `${cwd}/state/eventboat/repl_history`;
    assert.deepEqual(Deno.readTextFileSync(file).split("\n").slice(-4), ["payload", ":cel", "1 + 1", ""]);
    assert.equal((Deno.statSync(file).mode ?? 0) & 0o777, 0o600);
    await using program = new TypedProgram(subject, ["repl"], { cwd, env });
    await program.answers("", PROMPT);
    assert.match(await program.answers("\x1b[A\x1b[A\x1b[A\r", PROMPT), /payload[\s\S]*\{\}\r?\n/);
    assert.equal(await program.ends(":quit\r"), 0);
  },
);

typedProgramTest("repl on a terminal: Ctrl-C ends a script that was given many steps", async (subject, cwd) => {
  await using program = new TypedProgram(subject, ["repl", "--no-history", "--steps", "100000000"], { cwd, env: {} });
  await program.answers("", PROMPT);
  await program.answers("for i in range(20000000): str(i).upper().lower()\r", MORE_PROMPT);
  await program.answers("\r", "\n");
  // The terminal is given back to the system before the script begins, which no output tells.
  await program.interrupted();
});
