import assert from "node:assert/strict";
import { compileRedactPattern } from "./redaction.ts";

function matches(text: string, path: string): boolean {
  const compiled = compileRedactPattern(text);
  assert.ok(compiled.ok, `${text} compiles`);
  return compiled.pattern.matches(path.split("."));
}

Deno.test("compileRedactPattern: a star stays inside its segment, two stars cross segments", () => {
  assert.equal(matches("payload.card.*", "payload.card.number"), true);
  assert.equal(matches("payload.card.*", "payload.card.number.last"), false);
  assert.equal(matches("payload.card.*", "payload.card"), false);
  assert.equal(matches("payload.**.token", "payload.token"), true);
  assert.equal(matches("payload.**.token", "payload.a.b.token"), true);
  assert.equal(matches("payload.**.token", "meta.a.token"), false);
  assert.equal(matches("meta.**", "meta.a.b"), true);
  assert.equal(matches("payload.*_secret", "payload.my_secret"), true);
});

Deno.test("compileRedactPattern: classes and single characters", () => {
  assert.equal(matches("payload.key[0-9]", "payload.key7"), true);
  assert.equal(matches("payload.key[!0-9]", "payload.key7"), false);
  assert.equal(matches("payload.k?y", "payload.key"), true);
  assert.equal(matches("payload.a+b", "payload.a+b"), true);
  assert.equal(matches("payload.a+b", "payload.aab"), false);
});

Deno.test("compileRedactPattern: says where a pattern goes wrong", () => {
  const offsetOf = (text: string) => {
    const compiled = compileRedactPattern(text);
    return compiled.ok ? undefined : compiled.offset;
  };
  assert.equal(offsetOf("body.card"), 0);
  assert.equal(offsetOf("payload"), 0);
  assert.equal(offsetOf("payload..x"), 8);
  assert.equal(offsetOf("payload.card.[0-9"), 13);
  assert.equal(offsetOf("payload.card.x]"), 13);
  assert.equal(offsetOf("payload.[9-0]"), 8);
});

Deno.test("compileRedactPattern: many double stars cost no more than their number", () => {
  const text = `payload.${"**.".repeat(40)}x`;
  assert.equal(matches(text, `payload.${"a.".repeat(200)}y`), false);
});
