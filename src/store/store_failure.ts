/** Owns what a failure of SQLite or of the file system means for the store. Nothing else reads their messages. */

import { type ErrorCode, EventboatError, reasonOf } from "../diagnostics/mod.ts";

/** What was going on. Only a failed `commit` can leave it open whether the transaction is durable. */
export type StorePhase = "open" | "read" | "write" | "commit";

/** node:sqlite gives neither result code nor name, only SQLite's text: each begins with or ends in one of these. */
const CODES_BY_TEXT: readonly (readonly [text: string, code: ErrorCode])[] = [
  ["database or disk is full", "store_full"],
  ["disk I/O error", "store_write"],
  ["database disk image is malformed", "store_corrupt"],
  ["malformed database schema", "store_corrupt"],
  ["file is not a database", "store_corrupt"],
  ["no such table", "store_corrupt"],
  ["no such column", "store_corrupt"],
  ["attempt to write a readonly database", "store_readonly"],
  ["unable to open database file", "store_open"],
  ["access permission denied", "store_readonly"],
  ["database is locked", "store_locked"],
  ["database table is locked", "store_locked"],
];

/** After these a failed commit has certainly left nothing: SQLite fails before it has written the commit frame. */
const CERTAIN_CODES: ReadonlySet<ErrorCode> = new Set([
  "store_full",
  "store_locked",
  "store_readonly",
  "store_corrupt",
]);

const HINTS: { readonly [code in ErrorCode]?: string } = {
  store_corrupt:
    "Stop the pipeline; `eventboat store check` tells what is damaged, `eventboat store salvage` saves what is " +
    "readable into a new store and leaves this one as it is.",
  store_open: "storage.data_dir, or --data-dir, must be a folder of a local disk, or a place where one can be made.",
  store_full: "Make room on the disk; the pipeline goes on by itself.",
  store_readonly: "The folder of the store and every file in it must be writable for the user who runs Eventboat.",
  store_locked: "Another program has this store open for writing; close it.",
};

/** Turns what a store's file work threw into the error its caller is told; an `EventboatError` passes. */
export function storeFailure(caught: unknown, phase: StorePhase, path: string): EventboatError {
  if (caught instanceof EventboatError) return caught;
  const text = caught instanceof Error ? caught.message : String(caught);
  const known = fileCode(caught) ?? CODES_BY_TEXT.find(([part]) => text.includes(part))?.[1];
  const unclear = phase === "commit" && !(known !== undefined && CERTAIN_CODES.has(known));
  const code = unclear ? "store_unknown" : known ?? (phase === "open" ? "store_open" : "store_write");
  const hint = HINTS[code];
  return new EventboatError(code, `${ATTEMPTS[phase]} the store ${path}: ${reasonOf(caught)}`, {
    cause: caught,
    ...(hint === undefined ? {} : { hint }),
  });
}

const ATTEMPTS: { readonly [phase in StorePhase]: string } = {
  open: "could not open",
  read: "could not read from",
  write: "could not write to",
  commit: "could not commit a transaction to",
};

/** The code for an error of the operating system, which has a name and a code of its own. */
function fileCode(caught: unknown): ErrorCode | undefined {
  if (!(caught instanceof Error)) return undefined;
  if (caught.name === "NotCapable") return "permission";
  if (caught.name === "PermissionDenied") return "store_readonly";
  const systemCode = "code" in caught ? caught.code : undefined;
  if (systemCode === "EROFS" || systemCode === "EACCES" || systemCode === "EPERM") return "store_readonly";
  if (systemCode === "ENOSPC" || systemCode === "EDQUOT") return "store_full";
  return undefined;
}
