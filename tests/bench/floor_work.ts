/** Owns what the floors do to a message, and how they sync: the same as the pipeline beside them. */

/** Messages above this total are `gold`. */
const GOLD_TOTAL = 1000;

/** One input line parsed, changed as the pipeline's script changes it, and printed with its newline. */
export function changeLine(line: string): string {
  const payload = JSON.parse(line);
  payload.total = payload.amount * payload.quantity;
  payload.band = payload.total > GOLD_TOTAL ? "gold" : "std";
  return JSON.stringify(payload) + "\n";
}

/** SQLite's `synchronous` for a durability. */
export function syncMode(durability: string): "FULL" | "NORMAL" {
  return durability === "power" ? "FULL" : "NORMAL";
}
