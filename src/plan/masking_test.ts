import assert from "node:assert/strict";
import { Masking } from "./masking.ts";
import { compileRedactPattern } from "./redaction.ts";

function masking(...texts: readonly string[]): Masking {
  return new Masking(texts.map((text) => {
    const compiled = compileRedactPattern(text);
    assert.ok(compiled.ok, text);
    return compiled.pattern;
  }));
}

Deno.test("Masking: values that a pattern names are masked, whole mappings too, and the rest is shared", () => {
  const payload = { card: { number: "4111", name: "x" }, email: "a@b.example", rest: { a: 1 } };
  const masked = masking("payload.card.number", "payload.e*").payload(payload);
  assert.deepEqual(masked, { card: { number: "***", name: "x" }, email: "***", rest: { a: 1 } });
  assert.equal((masked as typeof payload).rest, payload.rest);
  assert.deepEqual(masking("payload.card").payload(payload), { ...payload, card: "***" });
  assert.equal(masking("payload.absent").payload(payload), payload);
});

Deno.test("Masking: a pattern may name a position in a list or pass over it", () => {
  const payload = { cards: [{ number: "1" }, { number: "2" }] };
  assert.deepEqual(masking("payload.cards.1.number").payload(payload), { cards: [{ number: "1" }, { number: "***" }] });
  assert.deepEqual(masking("payload.cards.number").payload(payload), { cards: [{ number: "***" }, { number: "***" }] });
  assert.equal(masking("payload.**").payload("text"), "***");
});

Deno.test("Masking: metadata is masked by its keys", () => {
  const meta = { authorization: "Bearer abc", source: "in" };
  assert.deepEqual(masking("meta.auth*").meta(meta), { authorization: "***", source: "in" });
  assert.deepEqual(masking("meta.**").meta(meta), { authorization: "***", source: "***" });
});

Deno.test("Masking: a secret is masked wherever it stands", () => {
  const secret = new Masking([], ["hunter2!", "hunter2"]);
  const payload = { a: ["Bearer hunter2!", "hunter2"], b: 1 };
  assert.deepEqual(secret.payload(payload), { a: ["Bearer ***", "***"], b: 1 });
  assert.deepEqual(secret.meta({ k: "xhunter2x" }), { k: "x***x" });
  assert.equal(secret.text("no hunter2! here", { payload: {}, meta: {} }), "no *** here");
});

Deno.test("Masking: a text does not quote what is masked", () => {
  const message = { payload: { card: "4111222233334444", n: 7 }, meta: {} };
  const text = "cannot use card 4111222233334444 of 7";
  assert.equal(masking("payload.card").text(text, message), "cannot use card *** of 7");
  assert.equal(masking().text(text, message), text);
});

Deno.test("Masking: a payload that is nested without measure is masked where nobody looks any more", () => {
  const levels = 100_000;
  let payload: unknown = { secret: "s3cret" };
  for (let i = 0; i < levels; i++) payload = [payload];
  const masked = masking("payload.**.secret");
  assert.ok(JSON.stringify(masked.payload(payload)).includes('"***"'));
  assert.equal(masked.text("it holds s3cret", { payload, meta: {} }), "it holds ***");
});
