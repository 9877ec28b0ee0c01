/** Owns the tests of equality, order, membership and conversion where the library or JavaScript would give another answer. */

import assert from "node:assert/strict";
import { evaluateCelTagged } from "./tagged.ts";

/** Kind and value as text, or `failure`. */
function result(source: string): string {
  const outcome = evaluateCelTagged(source);
  assert.ok(!("issues" in outcome), source);
  return "value" in outcome ? `${outcome.value.type} ${String(outcome.value.value)}` : "failure";
}

function check(table: readonly (readonly [string, string])[]): void {
  for (const [source, expected] of table) assert.equal(result(source), expected, source);
}

Deno.test("celOrder: strings order by code points, not by UTF-16 units", () => {
  check([
    ["'\\U0001F600' > '\\uFFFD'", "bool true"],
    ["'a' < 'ab' && 'B' < 'a' && !('a' < 'a')", "bool true"],
  ]);
});

Deno.test("celOrder: NaN has no order and equals nothing", () => {
  check([
    ["0.0 / 0.0 < 1.0 || 0.0 / 0.0 >= 1.0 || 0.0 / 0.0 == 0.0 / 0.0", "bool false"],
    ["0.0 / 0.0 != 0.0 / 0.0", "bool true"],
    ["-0.0 == 0.0 && !(-0.0 < 0.0)", "bool true"],
  ]);
});

Deno.test("celEquals: integers and doubles compare by exact value", () => {
  check([
    ["9007199254740993 == 9007199254740992.0", "bool false"],
    ["18446744073709551615u == 18446744073709551616.0", "bool false"],
    ["[1, 2u, 3.0] == [1.0, 2, 3u] && {1: 'a'} == {1u: 'a'}", "bool true"],
    ["'1' == 1 || true == 1 || null == 0 || b'a' == 'a'", "bool false"],
  ]);
});

Deno.test("celIn: a member that is null is there, a key of the wrong kind fails", () => {
  check([
    ["null in [1, null] && 'a' in {'a': null}", "bool true"],
    ["1.5 in {1: 2}", "bool false"],
    ["null in {'a': 1}", "failure"],
    ["1 in 'text'", "failure"],
  ]);
});

Deno.test("readIndex: lists take whole numbers of any type, and nothing else", () => {
  check([
    ["[1, 2][1u] + [1, 2][0.0]", "int 3"],
    ["[1, 2][true]", "failure"],
    ["[1, 2][0.5]", "failure"],
    ["[1, 2]['0']", "failure"],
    ["[1, 2][-1]", "failure"],
    ["{1: 'a'}[1u] + {2u: 'b'}[2.0]", "string ab"],
    ["{1: 1, 1u: 2}", "failure"],
    ["{null: 1}", "failure"],
  ]);
});

Deno.test("CEL_CONVERSIONS: text that is no number fails", () => {
  check([
    ["double('1.5e3')", "double 1500"],
    ["double('-inf')", "double -Infinity"],
    ["int('+12')", "int 12"],
    ...[
      "double('')",
      "double(' 1')",
      "double('0x1')",
      "double('x')",
      "int('')",
      "int('1.0')",
      "int('0x1')",
      "uint('-1')",
    ]
      .map((source) => [source, "failure"] as const),
  ]);
});

Deno.test("CEL_CONVERSIONS: ranges end where 64 bits end", () => {
  check([
    ["int(9223372036854774784.0)", "int 9223372036854774784"],
    ["int(9223372036854775808.0)", "failure"],
    ["int(-0.9)", "int 0"],
    ["uint(-0.9)", "failure"],
    ["uint(18446744073709551616.0)", "failure"],
    ["int(18446744073709551615u)", "failure"],
    ["int('9223372036854775808')", "failure"],
    ["18446744073709551615u / 1u", "uint 18446744073709551615"],
    ["-9223372036854775808 / -1", "failure"],
    ["-(-9223372036854775808)", "failure"],
    ["0u - 1u", "failure"],
    ["-7 % 3", "int -1"],
  ]);
});

Deno.test("CEL_CONVERSIONS: text and bytes", () => {
  check([
    ["string(b'\\xef\\xbb\\xbfa').size()", "int 2"],
    ["string(b'\\xff')", "failure"],
    ["bytes('é').size()", "int 2"],
    ["int(timestamp(90)) == 90 && string(timestamp(90)) == '1970-01-01T00:01:30Z'", "bool true"],
    ["timestamp('2024-01-01T00:00:00.9999Z').getMilliseconds()", "int 999"],
    ["timestamp('2024-01-01T00:00:00Z').getDayOfYear('Europe/Berlin')", "int 0"],
    ["duration('-90m').getHours()", "int -1"],
    ["size('h😀')", "int 2"],
  ]);
});

Deno.test("emitFold: macros go over lists and over the keys of maps", () => {
  check([
    ["{'a': 1, 'b': 2}.exists(k, k == 'b')", "bool true"],
    ["[[1, 2], [3]].all(x, x.exists(y, y > 1))", "bool true"],
    ["[1, 2, 3].map(x, x > 1, x * 10)[1]", "int 30"],
    ["[1, 0].exists(x, 1 / x == 1)", "bool true"],
    ["[0, 1].exists(x, 1 / x == 1)", "bool true"],
    ["[0, 2].exists(x, 1 / x == 1)", "failure"],
    ["[1, 0].exists_one(x, 1 / x == 1)", "failure"],
    ["[1].map(x, [2].map(x, x)[0] + x)[0]", "int 3"],
    ["[1].filter(filter, filter == 1).size()", "int 1"],
    ["'text'.all(x, true)", "failure"],
  ]);
});
