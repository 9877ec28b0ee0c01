import assert from "node:assert/strict";
import { emptyCounts } from "../engine/mod.ts";
import { endedText, liveText } from "./status_text.ts";

const counts = { ...emptyCounts(), messagesIn: 9, committed: 7, deadLettered: 3, inFlight: 2 };

Deno.test("liveText: tells what waits for another attempt, when something does", () => {
  assert.equal(liveText("orders", counts, 3.4), "orders  in 9  committed 7  dead 3  in flight 2  3/s");
  assert.match(liveText("orders", { ...counts, retrying: 1 }, 0), /in flight 2 \(retrying 1\)/);
});

Deno.test("endedText: tells where dead letters arose, and everything that did not arrive", () => {
  const ended = {
    pipeline: "orders",
    status: "partial" as const,
    durationMs: 1234,
    counts: {
      ...counts,
      optionalDrops: 4,
      conditionErrors: 5,
      deadLetters: { price: { runtime: 2 }, large: { delivery: 1 } },
    },
  };
  const text = endedText(ended);
  assert.match(text, /dead 3 \(price runtime 2, large delivery 1\)/);
  assert.match(text, /dropped on optional edges 4/);
  assert.match(text, /conditions not evaluated 5/);
  assert.match(text, /left for the next start 2/);
});
