import assert from "node:assert/strict";
import { HeldClock } from "../base/mod.ts";
import { EventboatError } from "../diagnostics/mod.ts";
import { type Emission, single } from "../message/mod.ts";
import { patientEmit } from "./patient_emit.ts";

const batch = (srcSeq: number): Emission => single({ bytes: Uint8Array.of(srcSeq) }, srcSeq);
const refusal = (code: "store_full" | "store_write") =>
  new EventboatError("refused", "refused", { cause: new EventboatError(code, "the store says no") });

/** An emit that answers as told, in order, and remembers what it was given. */
function scripted(answers: (EventboatError | undefined)[]) {
  const given: number[] = [];
  return {
    given,
    emit: (emission: Emission) => {
      given.push(emission.firstSrcSeq);
      const answer = answers.shift();
      return answer === undefined ? Promise.resolve() : Promise.reject(answer);
    },
  };
}

const turns = async () => {
  for (let i = 0; i < 20; i++) await Promise.resolve();
};
const log = { log() {} };

Deno.test("patientEmit: batches refused by a full disk are emitted again in their order, and none passes them", async () => {
  const clock = new HeldClock();
  const full = refusal("store_full");
  const { emit, given } = scripted([full, full, full]);
  const patient = patientEmit(emit, { clock, log }, new AbortController().signal);
  const landed: number[] = [];
  const done = [1, 2].map((n) => patient(batch(n)).then(() => landed.push(n)));
  await turns();
  done.push(patient(batch(3)).then(() => landed.push(3)));
  await clock.advance(250);
  await turns();
  assert.deepEqual(landed, []);
  await clock.advance(500);
  await Promise.all(done);
  assert.deepEqual(landed, [1, 2, 3]);
  assert.deepEqual(given, [1, 2, 1, 1, 2, 3]);
});

Deno.test("patientEmit: a refusal for another reason passes to the source", async () => {
  const { emit } = scripted([refusal("store_write")]);
  const patient = patientEmit(emit, { clock: new HeldClock(), log }, new AbortController().signal);
  await assert.rejects(patient(batch(1)), { code: "refused" });
});

Deno.test("patientEmit: a stop ends the wait as shutdown", async () => {
  const { emit } = scripted([refusal("store_full")]);
  const stop = new AbortController();
  const patient = patientEmit(emit, { clock: new HeldClock(), log }, stop.signal);
  const waiting = assert.rejects(patient(batch(1)), { code: "shutdown" });
  await turns();
  stop.abort();
  await waiting;
});
