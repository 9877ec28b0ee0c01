/** Owns the fuzz of the compiler: random scripts end in a typed way, and in bounded memory. */

import assert from "node:assert/strict";
import { tryScript } from "./fuzz_trial.ts";
import { ScriptWriter } from "./fuzz_writer.ts";

/** Seeds tried by default; `FUZZ_SEEDS=from,count` tries others. */
const [SEED_FROM, SEEDS] = (Deno.env.get("FUZZ_SEEDS") ?? "1,3").split(",").map(Number) as [number, number];
const SCRIPTS = 200;
const GROWTH_MB_MAX = 100;
/** As the program itself is run: the engine keeps less garbage. */
const V8_FLAGS = "--v8-flags=--max-semi-space-size=16";

Deno.test("fuzz: random programs are refused with positions, or run and end in a typed way", () => {
  const seen = { refused: 0, ended: 0, failed: 0 };
  for (let seed = SEED_FROM; seed < SEED_FROM + SEEDS; seed++) {
    const writer = new ScriptWriter(seed);
    for (let count = 0; count < SCRIPTS; count++) seen[tryScript(writer.program())]++;
  }
  // The fuzz is worth nothing when all programs take one way.
  assert.ok(Math.min(seen.refused, seen.ended, seen.failed) > SCRIPTS * SEEDS / 50, JSON.stringify(seen));
});

Deno.test("fuzz: scripts with tokens lost, doubled or swapped, and mere noise", () => {
  const seen = { refused: 0, ended: 0, failed: 0 };
  for (let seed = SEED_FROM; seed < SEED_FROM + SEEDS; seed++) {
    const writer = new ScriptWriter(seed);
    for (let count = 0; count < SCRIPTS; count++) {
      seen[tryScript(writer.mutant(writer.program(), writer.program()))]++;
      tryScript(writer.noise());
    }
  }
  assert.ok(Math.min(seen.refused, seen.failed) > SCRIPTS * SEEDS / 50, JSON.stringify(seen));
});

Deno.test("fuzz: random and hostile scripts need little memory, whatever they try", async () => {
  const program = new URL("./fuzz_child.ts", import.meta.url).pathname;
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      V8_FLAGS,
      "--no-prompt",
      "--allow-all",
      "--no-check",
      program,
      String(SEED_FROM),
      String(SEEDS * SCRIPTS / 2),
    ],
    env: { NO_COLOR: "1" },
  }).output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  const { growthMb, scripts } = JSON.parse(new TextDecoder().decode(stdout));
  assert.ok(scripts > SCRIPTS);
  assert.ok(growthMb < GROWTH_MB_MAX, `${growthMb} MB more after ${scripts} scripts`);
});
