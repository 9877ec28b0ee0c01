/** The store's isolate of the bare loop of segments: a row and a transaction a segment, nothing else. */

import { DatabaseSync, type StatementSync } from "node:sqlite";

/** What the isolate is sent. */
export type ToSegmentStore =
  | { readonly kind: "open"; readonly path: string; readonly synchronous: "FULL" | "NORMAL" }
  | {
    readonly kind: "segment";
    readonly first: number;
    readonly count: number;
    readonly ends: Uint8Array<ArrayBuffer>;
    readonly bytes: Uint8Array<ArrayBuffer>;
  };

/** Its answer to each message, in order: done. */
export type FromSegmentStore = null;

interface Scope {
  onmessage: ((event: MessageEvent<ToSegmentStore>) => void) | null;
  postMessage(message: FromSegmentStore): void;
}

class SegmentRows {
  readonly #db: DatabaseSync;
  readonly #insert: StatementSync;

  constructor(path: string, synchronous: string) {
    this.#db = new DatabaseSync(path);
    this.#db.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous};
       CREATE TABLE segment(first INTEGER PRIMARY KEY, count INTEGER, ends BLOB, bytes BLOB)`,
    );
    this.#insert = this.#db.prepare("INSERT INTO segment(first, count, ends, bytes) VALUES (?, ?, ?, ?)");
  }

  write({ first, count, ends, bytes }: Extract<ToSegmentStore, { kind: "segment" }>): void {
    this.#db.exec("BEGIN");
    this.#insert.run(first, count, ends, bytes);
    this.#db.exec("COMMIT");
  }
}

// A module Worker's global scope has these two members; the compiler's library for it cannot be loaded beside ours.
const scope = self as unknown as Scope;
let rows: SegmentRows | undefined;

scope.onmessage = ({ data }) => {
  if (data.kind === "open") rows = new SegmentRows(data.path, data.synchronous);
  else rows?.write(data);
  scope.postMessage(null);
};
