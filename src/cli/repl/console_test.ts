import assert from "node:assert/strict";
import { EventboatError } from "../../diagnostics/mod.ts";
import { readSample, ReplSession } from "../../ops/mod.ts";
import { helpText } from "./commands.ts";
import { complete } from "./completion.ts";
import { type ConsoleMode, ReplConsole } from "./console.ts";

const GOLDEN = new URL("../../../tests/golden/console/help.txt", import.meta.url);
const FILES: { readonly [path: string]: string } = {
  "other.json": '{"total": 9007199254740993}',
  "text.json": '"abc"',
  "broken.json": "{\n",
  "good.star": "print('loaded')\npayload.total += 1",
  "bad.star": "payload.none.x = 1",
};

/** A console on a small order, with what it wrote and saved. */
function open({ isTyped = true, meta }: { readonly isTyped?: boolean; readonly meta?: string } = {}) {
  const said = { out: "", err: "" };
  const saved: Record<string, string> = {};
  const sample = readSample({ message: '{"total": 15, "lines": [1]}', ...(meta === undefined ? {} : { meta }) });
  const session = new ReplSession({ sample, environment: { constants: {}, parameters: {} }, stepsMax: 1000 });
  const console = new ReplConsole({
    session,
    isTyped,
    ...(meta === undefined ? {} : { meta }),
    io: {
      out: (text) => void (said.out += text),
      err: (text) => void (said.err += text),
      readFile(path) {
        const text = FILES[path];
        if (text === undefined) throw new EventboatError("usage", `cannot read ${path}: there is no such file`);
        return text;
      },
      writeFile: (path, text) => void (saved[path] = text),
    },
  });
  /** Types lines and gives what was written meanwhile. */
  const type = (...lines: string[]) => {
    [said.out, said.err] = ["", ""];
    for (const line of lines) console.line(line);
    return { ...said };
  };
  return { console, session, saved, type };
}

Deno.test(":help shows its golden screen", () => {
  if (Deno.env.get("UPDATE_GOLDEN") === "1") Deno.writeTextFileSync(GOLDEN, helpText());
  const golden = Deno.readTextFileSync(GOLDEN);
  assert.equal(open().type(":help").out, golden);
  for (const line of golden.split("\n")) assert.ok(line.length <= 100, line);
});

Deno.test("ReplConsole: values, prints and nothing for what gives nothing", () => {
  const { type, console } = open();
  assert.deepEqual(type("x = payload.total", "x * 2", "print('p')", "None", "", "# note"), { out: "30\np\n", err: "" });
  assert.deepEqual(type("def f(a):", "  return a + 1", "", "f(x)"), { out: "16\n", err: "" });
  assert.equal(console.hasFailed, false);
});

Deno.test("ReplConsole: prompts tell what a line will be", () => {
  const { console, type } = open();
  const prompts = [">>> ", "x = [", "1]", ":cel", ":script"].map((line) => {
    if (line !== ">>> ") type(line);
    return console.prompt;
  });
  assert.deepEqual(prompts, [">>> ", "... ", ">>> ", "cel> ", ">>> "]);
  type("f(");
  console.drop();
  assert.equal(console.prompt, ">>> ");
});

Deno.test("ReplConsole: a failure shows the line of the session's script and its place", () => {
  const { type, console } = open();
  const { out, err } = type("x = {}", "print(1); x.foo", "x");
  assert.equal(out, "1\n{}\n");
  assert.match(err, /^error\[runtime\] script:2:12: .*\n {2}2 \| print\(1\); x\.foo\n {4}\| {12}\^\n$/);
  assert.equal(console.hasFailed, true);
});

Deno.test(":message takes another sample, keeps the script and runs it there; one it fails on is refused", () => {
  const { type } = open({ meta: '{"source": "mine"}' });
  type("payload.total += 1", "print(payload.total, meta.source)");
  assert.deepEqual(type(":message other.json"), { out: "9007199254740994 mine\n", err: "" });
  assert.match(type(":payload").out, /"total": 9007199254740994/);
  const refused = type(":message text.json");
  assert.match(refused.err, /^error\[runtime\][\s\S]*fails on text\.json.*:reset/);
  assert.match(type(":message").out, /"payload": \{\n {4}"total": 9007199254740993\n/);
  for (const path of ["broken.json", "missing.json"]) {
    assert.match(type(`:message ${path}`).err, /^cannot read [^\n]*\n$/);
  }
});

Deno.test(":cel and :script go from one language to the other, an argument answers at once", () => {
  const { type, console } = open();
  type("payload.total = 20");
  assert.deepEqual(type(":cel payload.total > 19"), { out: "true\n", err: "" });
  assert.deepEqual(
    type(":cel", "payload.lines.size()", "payload.none", ":cesql", "data.total + 1", ":script", "payload.total").out,
    "1  (int)\n21\n20\n",
  );
  assert.deepEqual(type(":script good.star", "payload.total"), { out: "loaded\n16\n", err: "" });
  assert.match(type(":script bad.star").err, /^error\[runtime\] script:1:/);
  assert.equal(console.mode, "script");
});

Deno.test(":list, :undo, :reset, :save, :payload, :meta", () => {
  const { type, saved } = open();
  type("payload.total = 1", "def f():", "  return 2", "", "payload = None");
  assert.equal(type(":show").out, "1 | payload.total = 1\n2 | def f():\n3 |   return 2\n4 | payload = None\n");
  assert.equal(type(":payload").out, "the message is filtered\n");
  assert.match(type(":undo", ":payload").out, /"total": 1/);
  assert.equal(type(":save out.star").out, "wrote 3 lines to out.star\n");
  assert.equal(saved["out.star"], "payload.total = 1\ndef f():\n  return 2\n");
  assert.match(type(":reset", ":payload").out, /"total": 15/);
  assert.match(type(":meta").out, /"source": "repl"/);
  assert.deepEqual(type(":undo"), { out: "", err: "there is nothing to take back\n" });
});

Deno.test("ReplConsole: commands that are none, or lack something, say so", () => {
  const { type, console } = open();
  assert.match(type(":mesage x").err, /^there is no command :mesage \(did you mean "message"\?\)\n$/);
  assert.match(type(":save").err, /^:save needs an argument: :save FILE\n$/);
  assert.match(type(":undo 2").err, /^:undo takes no argument\n$/);
  assert.deepEqual([console.line(":q"), console.line(":exit"), console.line(":quit"), console.line("1")], [
    false,
    false,
    false,
    true,
  ]);
});

Deno.test("ReplConsole: piped blocks end at the next statement or at the end", () => {
  const { type, console } = open({ isTyped: false });
  const { out } = type("def f():", "  a = 1", "", "  return a", "f()", "for i in [1, 2]:", "  print(i)");
  assert.equal(out, "1\n");
  assert.equal(type("").out, "");
  console.end();
  assert.match(type(":list").out, /print\(i\)/);
});

Deno.test("complete: commands, names, fields and methods, and in CEL the fields alone", () => {
  const { session, type } = open();
  type("orders = {'first': 1}");
  const offered = (line: string, mode: ConsoleMode = "script") => complete(line, session, mode);
  assert.deepEqual(offered(":me"), [[":message", ":meta"], ":me"]);
  assert.deepEqual(offered("x = f(payl"), [["payload"], "payl"]);
  assert.deepEqual(offered("payload.to"), [["payload.total"], "payload.to"]);
  assert.deepEqual(offered("orders.f"), [["orders.first"], "orders.f"]);
  assert.deepEqual(offered("json.dec"), [["json.decode"], "json.dec"]);
  assert.deepEqual(offered("(1 + )"), [[], "(1 + )"]);
  assert.deepEqual(offered("payload.", "cel")[0], ["payload.total", "payload.lines"]);
  assert.deepEqual(offered("data.to", "cesql")[0], ["data.total"]);
  assert.deepEqual(offered(":cel me", "cel")[0], ["meta"]);
});
