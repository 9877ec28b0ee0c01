/** Owns the input of the benchmarks: numbered JSON lines of about 200 bytes, no field of which is constant. */

const REGIONS: readonly string[] = ["eu", "us", "ap", "sa"];
const CHANNELS: readonly string[] = ["web", "shop", "phone"];
const FLUSH_UNITS = 1 << 20;

/** Line `i`, without its newline. */
export function inputLine(i: number): string {
  return JSON.stringify({
    id: i,
    region: REGIONS[i & 3],
    user: { id: `u${i * 7919 % 100003}`, tier: i % 5 },
    amount: (i * 37 % 100000) / 100,
    quantity: i % 9 + 1,
    channel: CHANNELS[i % 3],
    ts: new Date(1764500000000 + i * 10).toISOString(),
    note: `left with the neighbour at number ${i % 211}, second floor`,
  });
}

/** Writes `count` lines to a file. */
export function writeInput(path: string, count: number): void {
  using file = Deno.openSync(path, { create: true, write: true, truncate: true });
  const encoder = new TextEncoder();
  let text = "";
  for (let i = 0; i < count; i++) {
    text += inputLine(i) + "\n";
    if (text.length < FLUSH_UNITS && i < count - 1) continue;
    let bytes = encoder.encode(text);
    while (bytes.length > 0) bytes = bytes.subarray(file.writeSync(bytes));
    text = "";
  }
}
