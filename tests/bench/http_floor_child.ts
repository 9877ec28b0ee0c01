/** The floor of http_server: a bare server that inserts the requests of each turn as one synced group: DATABASE. */

import { setImmediate } from "node:timers";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { peakMemoryMb, tell } from "./child_program.ts";

/** Requests between two deletions of what was accepted. */
const REQUESTS_PER_TRIM = 8192;

/** Printed at the end. */
export interface HttpFloorEnded {
  readonly accepted: number;
  readonly peakMb: number;
}

interface Waiting {
  readonly body: Uint8Array;
  readonly answer: () => void;
}

/** What has arrived in one turn of the event loop is one transaction, synced before any of it is answered. */
class GroupedRows {
  readonly #db: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #trim: StatementSync;
  #waiting: Waiting[] = [];
  #trimmedAt = 0;
  accepted = 0;

  constructor(db: DatabaseSync) {
    this.#db = db;
    db.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
       CREATE TABLE spool(seq INTEGER PRIMARY KEY, id TEXT, ts INTEGER, raw BLOB)`,
    );
    this.#insert = db.prepare("INSERT INTO spool(id, ts, raw) VALUES (?, ?, ?)");
    this.#trim = db.prepare("DELETE FROM spool WHERE seq <= ?");
  }

  /** Resolves when the body is durable. */
  add(body: Uint8Array): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.#waiting.push({ body, answer: resolve }) === 1) setImmediate(() => this.#flush());
    return promise;
  }

  #flush(): void {
    const group = this.#waiting;
    this.#waiting = [];
    this.#db.exec("BEGIN");
    for (const { body } of group) this.#insert.run(`0193-${this.accepted++}`, Date.now(), body);
    this.#db.exec("COMMIT");
    for (const { answer } of group) answer();
    if (this.accepted - this.#trimmedAt >= REQUESTS_PER_TRIM) this.#trim.run(this.#trimmedAt = this.accepted);
  }
}

async function main([database = ""]: readonly string[]): Promise<void> {
  using db = new DatabaseSync(database);
  const rows = new GroupedRows(db);
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    onListen: ({ port }) => tell({ port }),
  }, async (request) => {
    await rows.add(await request.bytes());
    return new Response(null, { status: 202 });
  });
  Deno.addSignalListener("SIGTERM", () => void server.shutdown());
  await server.finished;
  tell({ accepted: rows.accepted, peakMb: peakMemoryMb() } satisfies HttpFloorEnded);
  Deno.exit(0);
}

if (import.meta.main) await main(Deno.args);
