/** The floor of postgres to file, a bare loop over the client's cursor with no engine around it: DSN QUERY OUT. */

import pg from "pg";
import Cursor from "pg-cursor";
import { peakMemoryMb, tell } from "./child_program.ts";
import type { FloorEnded } from "./row_floor_child.ts";

/** As many as the source reads at once. */
const PAGE_ROWS = 1000;

/** Rows as the client gives them by default, as JSON lines, a write a page. */
async function main([dsn = "", query = "", output = ""]: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: dsn });
  await client.connect();
  using sink = await Deno.open(output, { write: true, create: true });
  const startMs = performance.now();
  const cursor = client.query(new Cursor(query));
  const encoder = new TextEncoder();
  let lines = 0;
  for (;;) {
    const rows: readonly unknown[] = await cursor.read(PAGE_ROWS);
    if (rows.length === 0) break;
    let text = "";
    for (const row of rows) text += `${JSON.stringify(row)}\n`;
    sink.writeSync(encoder.encode(text));
    lines += rows.length;
  }
  const ended: FloorEnded = { lines, seconds: (performance.now() - startMs) / 1000, peakMb: peakMemoryMb() };
  await client.end();
  tell(ended);
}

if (import.meta.main) await main(Deno.args);
