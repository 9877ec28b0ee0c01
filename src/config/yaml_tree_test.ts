import assert from "node:assert/strict";
import { DiagnosticBag } from "../diagnostics/mod.ts";
import { treeData } from "./tree.ts";
import { readTree } from "./yaml_tree.ts";

function read(text: string | Uint8Array) {
  const bag = new DiagnosticBag();
  const tree = readTree({ file: "a.yaml", text }, bag);
  return { data: tree && treeData(tree), found: bag.list() };
}

/** `code line:column` of every finding. */
function places(text: string | Uint8Array): string[] {
  return read(text).found.map(({ code, line, column }) => `${code} ${line}:${column}`);
}

Deno.test("readTree: plain words have YAML 1.2's meaning, quoted ones stay text", () => {
  const words = ["0123", "1e3", "no", "on", "12:30", "0x1F", "null", "2026-01-01", "9007199254740993", "true"];
  const { data, found } = read(words.map((word, i) => `p${i}: ${word}\nq${i}: '${word}'\nd${i}: "${word}"\n`).join(""));
  assert.deepEqual(found, []);
  const values = data as Record<string, unknown>;
  const plain = [123, 1000, "no", "on", "12:30", 31, null, "2026-01-01", 9007199254740993n, true];
  words.forEach((word, i) => {
    assert.deepEqual([values[`p${i}`], values[`q${i}`], values[`d${i}`]], [plain[i], word, word]);
  });
});

Deno.test("readTree: keys are names as they are written", () => {
  assert.deepEqual(
    read("1.0: a\nyes: b\n'': c\n\"x\\ty\": d\n__proto__: e\n0x1: f\n").data,
    JSON.parse(
      '{"1.0":"a","yes":"b","":"c","x\\ty":"d","__proto__":"e","0x1":"f"}',
    ),
  );
});

Deno.test("readTree: anchors, aliases and merge keys", () => {
  const text = "a: &a { x: 1, y: 2 }\nb: { <<: *a, y: 3 }\nc: { <<: [*a, { z: 4 }], x: 5 }\nd: *a\n*s : [*n]\n";
  assert.deepEqual(read(`s: &s key\nn: &n [1]\n${text}`).data, {
    s: "key",
    n: [1],
    a: { x: 1, y: 2 },
    b: { y: 3, x: 1 },
    c: { x: 5, y: 2, z: 4 },
    d: { x: 1, y: 2 },
    key: [[1]],
  });
  assert.deepEqual(places("a: &a { b: *a }\n"), ["yaml_parse 1:12"]);
  assert.deepEqual(places("a: *nowhere\n"), ["yaml_parse 1:4"]);
  assert.deepEqual(places("a: { <<: 5 }\n"), ["yaml_parse 1:10"]);
  assert.deepEqual(read("a: &x 1\nb: &x 2\nc: *x\n").data, { a: 1, b: 2, c: 2 });
});

Deno.test("readTree: an alias bomb is refused at once, and it does not grow", () => {
  const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
  for (let i = 1; i < 20; i++) lines.push(`a${i}: &a${i} [${Array(10).fill(`*a${i - 1}`).join(", ")}]`);
  const { found } = read(lines.join("\n"));
  assert.equal(found.length, 1);
  assert.deepEqual([found[0]?.code, found[0]?.line], ["yaml_parse", 4]);
});

Deno.test("readTree: a key twice is told with both places, and the first one holds", () => {
  const { data, found } = read("a: 1\nb: 2\na: 3\n");
  assert.deepEqual(data, { a: 1, b: 2 });
  assert.deepEqual([found[0]?.line, found[0]?.column], [3, 1]);
  assert.match(found[0]?.message ?? "", /line 1/);
});

Deno.test("readTree: a byte order mark, CRLF and document markers change nothing", () => {
  const plain = read("a: 1\nb: |\n  x\n  y\n");
  assert.deepEqual(read("\ufeffa: 1\r\nb: |\r\n  x\r\n  y\r\n"), plain);
  assert.deepEqual(read(new TextEncoder().encode("\ufeff---\na: 1\nb: |\n  x\n  y\n...\n")).data, plain.data);
});

Deno.test("readTree: what is no YAML text gets a clear answer with its place", () => {
  const bytes = new Uint8Array([...new TextEncoder().encode("a: ü\nb: x"), 0xe1, 0x0a]);
  assert.deepEqual(places(bytes), ["yaml_parse 2:5"]);
  assert.deepEqual(places(new Uint8Array([0xff, 0xfe, 0x61, 0x00])), ["yaml_parse 1:1"]);
  assert.deepEqual(places("a: 1\nb: \u0000\n"), ["yaml_parse 2:4"]);
  assert.deepEqual(places("a: 1\rb: 2\n"), ["yaml_parse 1:5"]);
  assert.deepEqual(places("a: 1\n\ufeffb: 2\n"), ["yaml_parse 2:1"]);
  assert.deepEqual(places("a:\n\tb: 1\n")[0], "yaml_parse 2:1");
  assert.match(read("a:\n\tb: 1\n").found[0]?.hint ?? "", /spaces|tab/);
  assert.match(read("a: { b: ${VAR} }\n").found[0]?.hint ?? "", /quotes/);
});

Deno.test("readTree: empty documents", () => {
  for (const text of ["", "\n\n", "# comment\n", "---\n", "\ufeff"]) {
    assert.deepEqual(places(text), ["empty_config 1:1"], text);
  }
});

Deno.test("readTree: one document a file, and its top level is a mapping", () => {
  assert.deepEqual(places("a: 1\n---\nb: 2\n"), ["yaml_parse 2:1"]);
  assert.deepEqual(places("[1]\n"), ["yaml_parse 1:1"]);
  assert.deepEqual(places("\n  text\n"), ["yaml_parse 2:3"]);
});

Deno.test("readTree: keys that are no plain text, and tags that are not YAML's own, are refused", () => {
  assert.deepEqual(places("? [a]\n: b\n"), ["yaml_parse 1:3"]);
  assert.deepEqual(places(": b\n"), ["yaml_parse 1:1"]);
  assert.deepEqual(places("a: !secret b\n"), ["yaml_parse 1:12"]);
  assert.deepEqual(places("a: !!int b\n"), ["yaml_parse 1:10"]);
  assert.deepEqual(places("a: !!binary aGk=\n"), ["yaml_parse 1:13"]);
  assert.deepEqual(read("a: !!str 5\nb: !!int '5'\nc: ! 5\nd: !!map {}\n").data, { a: "5", b: 5, c: "5", d: {} });
});

Deno.test("readTree: nesting and size are capped before anything is read", () => {
  assert.deepEqual(places(`a: ${"[".repeat(20_000)}`).length, 1);
  assert.deepEqual(places(`a: ${"[".repeat(70)}${"]".repeat(70)}`), ["yaml_parse 1:67"]);
  assert.deepEqual(places(`a: ${"[".repeat(60)}${"]".repeat(60)}`), []);
  assert.deepEqual(places(`${"- ".repeat(200)}x`).length, 1);
  assert.deepEqual(places(" ".repeat(3 * 1024 * 1024)), ["yaml_parse 1:1"]);
});
