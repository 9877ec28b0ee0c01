import assert from "node:assert/strict";
import type { ColumnFamily, SqlColumn } from "../../shared/sql/sql_connection.ts";
import { type KeyValue, restoreValue, sameness, storeValue, tupleOf } from "./key_tuple.ts";

const column = (family: ColumnFamily): SqlColumn => ({ name: "k", type: "t", family, json: String });
const compare = (a: KeyValue, b: KeyValue, family: ColumnFamily) => sameness([a], [b], [column(family)]);

Deno.test("sameness: texts decide where they are exact, values where there are numbers, the database elsewhere", () => {
  assert.equal(compare("a", "A", "exact"), "different");
  assert.equal(compare("a", "A", "text"), "ask");
  assert.equal(compare("a", "a", "text"), "same");
  for (
    const [a, b] of [["1.0", "1.00"], ["-0.50", "-0.5"], ["100", "100.0"], ["1e3", "1000"], ["0", "0.000"], ["-0", "0"]]
  ) {
    assert.equal(compare(a ?? "", b ?? "", "number"), "same", `${a} ${b}`);
  }
  assert.equal(compare("12345678901234567890.1", "12345678901234567890.2", "number"), "different");
  assert.equal(compare("100", "1", "number"), "different");
  assert.equal(compare(5n, 5, "text"), "same");
  assert.equal(compare(9007199254740993n, 9007199254740992, "text"), "different");
  assert.equal(compare(Uint8Array.of(1, 2), Uint8Array.of(1, 2), "text"), "same");
  assert.equal(compare(Uint8Array.of(1, 2), Uint8Array.of(1, 3), "text"), "different");
  const two = [column("exact"), column("text")];
  assert.equal(sameness(["1", "a"], ["2", "a"], two), "different");
  assert.equal(sameness(["1", "a"], ["1", "A"], two), "ask");
});

Deno.test("tupleOf: a NULL makes no key", () => {
  assert.deepEqual(tupleOf(["a", 1n, null], [1, 0]), [1n, "a"]);
  assert.equal(tupleOf(["a", 1n, null], [1, 2]), undefined);
});

Deno.test("storeValue: every value comes back as it was", () => {
  for (const value of ["", "ü", 9007199254740993n, 0.1, true, Uint8Array.of(0, 255)]) {
    assert.deepEqual(restoreValue(JSON.parse(JSON.stringify(storeValue(value)))), value);
  }
  for (const stored of [null, ["text"], ["integer", "x"], ["bytes", "?"], ["other", "1"]]) {
    assert.equal(restoreValue(stored), undefined);
  }
});
