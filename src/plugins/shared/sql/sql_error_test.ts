import assert from "node:assert/strict";
import { mysqlError } from "./mysql_error.ts";
import { postgresError } from "./postgres_error.ts";
import { sqliteError } from "./sqlite_error.ts";

const error = (fields: object, message = "m") => Object.assign(new Error(message), fields);

Deno.test("postgresError: the server's own states, and the platform's codes that look like one", () => {
  const kind = (code: string) => postgresError(error({ code, severity: "ERROR" })).kind;
  assert.deepEqual(["40001", "40P01", "55P03", "53100"].map(kind), [
    "transient",
    "transient",
    "transient",
    "transient",
  ]);
  assert.deepEqual(["57P01", "08006", "53300", "57P03"].map(kind), [
    "connection",
    "connection",
    "connection",
    "connection",
  ]);
  assert.deepEqual(["23505", "22001", "28P01", "42P01", "57014"].map(kind), [
    "final",
    "final",
    "final",
    "final",
    "final",
  ]);
  for (const code of ["EPIPE", "ECONNRESET", undefined]) {
    assert.equal(postgresError(error({ code })).kind, "connection");
  }
  assert.equal(postgresError(error({ code: "CERT_HAS_EXPIRED" })).kind, "final");
  assert.match(
    postgresError(error({ code: "23505", severity: "ERROR", detail: "Key (id)" })).message,
    /m \(Key \(id\)\)/,
  );
});

Deno.test("mysqlError: numbers of the server, the client and the platform; no statement in the message", () => {
  const kind = (errno: number) => mysqlError(error({ errno })).kind;
  assert.deepEqual([1213, 1205, 1317].map(kind), ["transient", "transient", "transient"]);
  assert.deepEqual([1040, 1927, 45_009, 45_012, -111].map(kind), Array(5).fill("connection"));
  assert.deepEqual([1062, 1406, 1045, 45_016].map(kind), ["final", "final", "final", "final"]);
  assert.equal(mysqlError(error({}, "lost")).kind, "connection");
  assert.equal(mysqlError(error({ errno: 1062, sqlMessage: "dup" }, "dup\nsql: insert 'secret'")).message, "dup");
});

Deno.test("sqliteError: busy and full may pass, a constraint does not", () => {
  const kind = (errcode: number) => sqliteError(error({ errcode })).kind;
  assert.deepEqual([5, 261, 6, 13, 10].map(kind), Array(5).fill("transient"));
  assert.deepEqual([19, 1555, 1, 26].map(kind), Array(4).fill("final"));
});
