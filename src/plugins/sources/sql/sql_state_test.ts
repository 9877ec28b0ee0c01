import assert from "node:assert/strict";
import { sqlDefinition, type SqlSourceConfig } from "./sql_config.ts";
import { decodeState, encodeState, queryHash } from "./sql_state.ts";
import { Watermark } from "./watermark.ts";

function config(block: object): SqlSourceConfig {
  const parsed = sqlDefinition.parse({
    driver: "postgres",
    dsn: "postgres://u@h/d",
    query: "select * from t",
    ...block,
  });
  assert.ok(parsed.ok);
  return parsed.value;
}

Deno.test("queryHash: S04: another query, driver or key is another result; blanks, args and address are not", () => {
  const base = { cursor: { column: "at" }, pagination: { key: ["at", "id"] } };
  const hash = (block: object) => queryHash(config({ ...base, ...block }));
  const same = [{ query: "select  *\nfrom t -- all" }, { dsn: "postgres://x:y@z/d" }, { poll_every_ms: 50 }, {
    pagination: { key: ["at", "id"], page_size: 5 },
  }];
  for (const block of same) assert.equal(hash(block), hash({}), JSON.stringify(block));
  const other = [{ query: "select * from u" }, { driver: "mysql" }, { pagination: { key: ["at", "no"] } }, {
    cursor: { column: "id" },
    pagination: { key: "id" },
  }];
  for (const block of other) assert.notEqual(hash(block), hash({}), JSON.stringify(block));
});

Deno.test("encodeState: comes back as it was, and tells the watermark as text", () => {
  const state = { query: "h", position: { types: ["bigint", "bytea"], tuple: ["9007199254740993", Uint8Array.of(1)] } };
  const bytes = encodeState(state);
  assert.deepEqual(decodeState(bytes), state);
  assert.equal(JSON.parse(new TextDecoder().decode(bytes)).watermark, "9007199254740993");
});

Deno.test("decodeState: what is no state of this version is refused", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  for (const text of ["", "{}", '{"version":2}', '{"version":1,"query":"h","types":["a"],"key":[]}', "[1]", "null"]) {
    assert.throws(() => decodeState(bytes(text)), { code: "source_failed" }, text);
  }
});

Deno.test("Watermark.commit: gives the last place whose messages are all committed, once", () => {
  const watermark = new Watermark();
  const at = (id: string) => ({ types: ["int"], tuple: [id] });
  watermark.pass(3, at("c"));
  watermark.pass(5, at("e"));
  assert.equal(watermark.commit(2), undefined);
  assert.deepEqual(watermark.commit(4), at("c"));
  assert.equal(watermark.commit(4), undefined);
  watermark.pass(9, at("i"));
  assert.deepEqual(watermark.commit(9), at("i"));
});
