/** Owns the tests of what is known of a script's use of its bindings. */

import assert from "node:assert/strict";
import { compileStarlark } from "../compile.ts";

function usage(source: string) {
  const compiled = compileStarlark(source);
  assert.ok(compiled.ok, source);
  const { constantsRead, parametersRead, assignsRoute } = compiled.program;
  return { constantsRead, parametersRead, assignsRoute };
}

Deno.test("constantsRead: names that are written out, and a star for computed ones", () => {
  assert.deepEqual(usage('x = constants.a + constants["b"]').constantsRead, ["a", "b"]);
  assert.deepEqual(usage('x = constants.get("c", 1)').constantsRead, ["c"]);
  assert.deepEqual(usage("x = constants.a.b[constants.c]").constantsRead, ["a", "c"]);
  assert.deepEqual(usage("x = constants[payload.key]").constantsRead, ["*"]);
  assert.deepEqual(usage("x = dict(constants)").constantsRead, ["*"]);
  assert.deepEqual(usage("x = constants.items()").constantsRead, ["*"]);
  assert.deepEqual(usage("def f(): return [constants.z for y in []]").constantsRead, ["z"]);
  assert.deepEqual(usage("def f(constants): return constants.x").constantsRead, []);
  assert.deepEqual(usage("x = payload.constants").constantsRead, []);
});

Deno.test("parametersRead: as with constants, and apart from them", () => {
  assert.deepEqual(usage('x = parameters.a + parameters["b"] + constants.c').parametersRead, ["a", "b"]);
  assert.deepEqual(usage('x = parameters.get("c", constants.d)').parametersRead, ["c"]);
  assert.deepEqual(usage('x = parameters.get("c", constants.d)').constantsRead, ["d"]);
  assert.deepEqual(usage("x = parameters[payload.key]").parametersRead, ["*"]);
  assert.deepEqual(usage("x = json.encode(parameters)").parametersRead, ["*"]);
  assert.deepEqual(usage("def f(parameters): return parameters.x").parametersRead, []);
  assert.deepEqual(usage("x = payload.parameters").parametersRead, []);
});

Deno.test("assignsRoute: whenever the route may be set", () => {
  for (
    const source of [
      'meta.route = "a"',
      'meta["route"] = "a"',
      "meta[payload.key] = 1",
      "meta = {}",
      'if payload:\n  meta.route = "a"',
      'def f():\n  meta.route = "a"\nf()',
      'meta.update({"route": "a"})',
      "m = meta",
      "def f(m): return m\nx = f(meta)",
      "for meta.route in []: pass",
      "meta.route, x = 1, 2",
      'meta.route += "x"',
    ]
  ) {
    assert.equal(usage(source).assignsRoute, true, source);
  }
  for (
    const source of [
      'meta.other = "a"',
      "x = meta.route",
      'x = meta.get("route")',
      'x = "route" in meta',
      "payload.route = 1",
    ]
  ) {
    assert.equal(usage(source).assignsRoute, false, source);
  }
});

Deno.test("constantsRequired: what is read by get only need not be there", () => {
  const required = (source: string) => {
    const compiled = compileStarlark(source);
    assert.ok(compiled.ok, source);
    return compiled.program.constantsRequired;
  };
  assert.deepEqual(required('x = constants.a + constants["b"] + constants.get("c", 1)'), ["a", "b"]);
  assert.deepEqual(required('x = constants.get("a") or constants.a'), ["a"]);
  assert.deepEqual(required('x = constants.a if "a" in constants else 1'), ["*", "a"]);
});
