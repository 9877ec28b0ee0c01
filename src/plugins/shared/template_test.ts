import assert from "node:assert/strict";
import { EventboatError } from "../../diagnostics/mod.ts";
import { compileTemplate } from "./template.ts";

const environment = { constants: { suffix: "z" }, parameters: {} };

function render(source: string, payload: unknown): string {
  const compiled = compileTemplate(source);
  assert.ok(compiled.ok);
  return compiled.program.bind(environment)({ payload, meta: { day: 3 } });
}

Deno.test("Template: puts the values of its expressions in place", () => {
  assert.equal(render("a-{{ payload.x }}-{{meta.day}}{{ constants.suffix }}!", { x: "y" }), "a-y-3z!");
  assert.equal(render("{{ payload.x }}", { x: true }), "true");
  assert.equal(render('{{ {"a": "}}"}["a"] }}', {}), "}}");
  assert.equal(render("no { expression }", {}), "no { expression }");
});

Deno.test("Template: a text without expressions is constant, the text before the first one is the prefix", () => {
  const constant = compileTemplate("plain");
  assert.ok(constant.ok);
  assert.equal(constant.program.constant, "plain");
  const template = compileTemplate("a/{{ meta.day }}/b");
  assert.ok(template.ok);
  assert.equal(template.program.constant, undefined);
  assert.equal(template.program.prefix, "a/");
});

Deno.test("Template: a value that is no text, number or bool is an expression error", () => {
  for (const x of [null, [], {}]) {
    assert.throws(
      () => render("{{ payload.x }}", { x }),
      (error) => error instanceof EventboatError && error.code === "expression",
    );
  }
});

Deno.test("compileTemplate: tells every mistake with its place in the whole text", () => {
  const compiled = compileTemplate("ab{{ 1 + }}cd{{ ) }}");
  assert.ok(!compiled.ok);
  assert.equal(compiled.issues.length, 2);
  assert.ok(compiled.issues.every(({ offset }) => offset >= 4));
  const open = compileTemplate("ab{{ payload.x");
  assert.ok(!open.ok);
  assert.equal(open.issues[0]?.offset, 2);
});

Deno.test("Template: the guard sees each value before it is put in place", () => {
  const compiled = compileTemplate("{{ payload.a }}/{{ payload.b }}");
  assert.ok(compiled.ok);
  const seen: string[] = [];
  compiled.program.bind(environment, (value) => void seen.push(value))({ payload: { a: "x", b: "y" }, meta: {} });
  assert.deepEqual(seen, ["x", "y"]);
});

Deno.test("Template: tells which constants its expressions read", () => {
  const read = (source: string) => {
    const compiled = compileTemplate(source);
    assert.ok(compiled.ok);
    return compiled.program.constantsRead;
  };
  assert.deepEqual(read('{{ constants.a.b }}/{{ constants["c"] + payload.d }}'), ["a", "c"]);
  assert.deepEqual(read("{{ constants[payload.x] }}"), ["*"]);
  assert.deepEqual(read("constants.a"), []);
});

Deno.test("Template: tells which parameters its expressions read", () => {
  const compiled = compileTemplate("{{ parameters.day }}/{{ constants.a }}-{{ parameters[payload.x] }}");
  assert.ok(compiled.ok);
  assert.deepEqual(compiled.program.parametersRead, ["day", "*"]);
});
