/**
 * A writer of a store in a process of its own, for faults that only the kernel can make: FILE DURABILITY MESSAGES.
 * Appends segments one after the other, prints what became of each as a line of JSON, and ends when it has appended
 * them all or one is unknown.
 */

import { hostStore, SqliteBackend } from "../../src/store/mod.ts";
import { numberedSegment } from "./numbered_segment.ts";

const [path = "", durability = "power", segments = "1", reserveBytes = "0"] = Deno.args;

const backend = new SqliteBackend(path, {
  durability: durability === "power" ? "power" : "process",
  reserveBytes: Number(reserveBytes),
  log: { log: (level, message, fields) => console.error(JSON.stringify({ level, message, ...fields })) },
});
const store = await hostStore(backend);
let first = store.start.nextSeq;
for (let i = 0; i < Number(segments); i++) {
  const segment = numberedSegment(first);
  const result = await store.append(segment);
  const code = result.kind === "durable" ? undefined : result.error.code;
  console.log(JSON.stringify({ first, kind: result.kind, code }));
  first += segment.count;
  if (result.kind === "unknown") break;
}
await store.close().catch((error) => console.log(JSON.stringify({ kind: "close", code: error.code })));
