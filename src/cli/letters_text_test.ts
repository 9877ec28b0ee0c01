/** Tests the wording of dead letters and of replays. */

import assert from "node:assert/strict";
import { listEndText, notesText, previewText } from "./letters_text.ts";

Deno.test("listEndText: an empty list still tells how many could not be judged", () => {
  assert.equal(listEndText({ count: 0, more: false, unjudged: 0 }), "no dead letters\n");
  const unjudged = "note: 2 for which --where could not be evaluated were left out\n";
  assert.equal(listEndText({ count: 0, more: false, unjudged: 2 }), `no dead letters\n${unjudged}`);
  assert.equal(listEndText({ count: 3, more: false, unjudged: 2 }), unjudged);
});

Deno.test("notesText: what was named and is not there is told, of many ids the first", () => {
  const note = (ids: number[]) => notesText({ more: false, unjudged: 0, missing: { ids } });
  assert.equal(note([77]), "note: no dead letter has the id 77\n");
  assert.equal(
    note(Array.from({ length: 12 }, (_, i) => i + 1)),
    "note: no dead letter has one of the ids 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more\n",
  );
  const run = notesText({ more: false, unjudged: 0, missing: { run: "r" } });
  assert.equal(run, "note: no dead letter is of run r\n");
});

Deno.test("previewText: a transform that is not executed is named once, however often it is reached", () => {
  const expected = { sinks: [], filtered: 0, failures: [], not_executed: ["once", "once"] };
  const message = { seq: 4, message_id: "m", node: "in", node_kind: "source" as const, edges: ["in->once"], expected };
  const text = previewText({ kind: "preview", pipeline: "p", messages: [message], more: false, unjudged: 0 });
  assert.equal(text, "sequence 4 comes out of in: not told behind once, not executed here\n1 would be replayed\n");
});
