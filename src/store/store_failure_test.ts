import assert from "node:assert/strict";
import { EventboatError } from "../diagnostics/mod.ts";
import { storeFailure, type StorePhase } from "./store_failure.ts";

// What SQLite really says is met in tests/faults, by system calls that are made to fail.
const CASES: readonly (readonly [text: string, phase: StorePhase, code: string])[] = [
  ["database or disk is full", "write", "store_full"],
  ["database or disk is full", "commit", "store_full"],
  ["disk I/O error", "write", "store_write"],
  ["disk I/O error", "commit", "store_unknown"],
  ["disk I/O error", "open", "store_write"],
  ["something nobody has heard of", "write", "store_write"],
  ["something nobody has heard of", "commit", "store_unknown"],
  ["something nobody has heard of", "open", "store_open"],
  ["database disk image is malformed", "read", "store_corrupt"],
  ["file is not a database", "open", "store_corrupt"],
  ["attempt to write a readonly database", "write", "store_readonly"],
  ["database is locked", "commit", "store_locked"],
];

Deno.test("storeFailure: a message of SQLite's becomes the code its caller needs", () => {
  for (const [text, phase, code] of CASES) {
    assert.equal(storeFailure(new Error(text), phase, "x.db").code, code, `${text} at ${phase}`);
  }
});

Deno.test("storeFailure: errors of the system are told by their codes, errors of ours pass", () => {
  const system = (code: string) => Object.assign(new Error("of the system"), { code });
  assert.equal(storeFailure(system("EROFS"), "open", "x.db").code, "store_readonly");
  assert.equal(storeFailure(system("ENOSPC"), "write", "x.db").code, "store_full");
  assert.equal(storeFailure(system("EDQUOT"), "write", "x.db").code, "store_full");
  assert.equal(storeFailure(new Deno.errors.PermissionDenied("no"), "open", "x.db").code, "store_readonly");
  assert.equal(storeFailure(new Deno.errors.NotCapable("no"), "open", "x.db").code, "permission");
  const own = new EventboatError("store_version", "too new");
  assert.equal(storeFailure(own, "commit", "x.db"), own);
});
