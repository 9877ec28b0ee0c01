/** Owns the trial of one random script: whatever the text, it is refused with positions, or it runs and ends as it should. */

import assert from "node:assert/strict";
import { compileStarlark } from "./compile.ts";
import { ScriptError } from "./program.ts";

/** Far more than most of these scripts need, and small enough to keep the suite short. */
const STEPS_MAX = 20_000;
const PAYLOAD = '{"a":1,"b":{"c":2,"d":[1,{"e":2}]},"l":[1,2.5,"x",{"k":1}],"__proto__":{"x":1}}';

/** How a script ended. */
export type TrialEnding = "refused" | "ended" | "failed";

/** Tries a script. @throws {AssertionError} when something happens that must not. */
export function tryScript(source: string): TrialEnding {
  const compiled = compileStarlark(source);
  if (!compiled.ok) {
    assert.ok(compiled.issues.length > 0, source);
    for (const { offset } of compiled.issues) assert.ok(offset >= 0 && offset <= source.length, source);
    return "refused";
  }
  const payload = JSON.parse(PAYLOAD);
  const meta = { m: 1 };
  const run = compiled.program.bind({ constants: { k: 1 }, parameters: {} }, { stepsMax: STEPS_MAX });
  let ending: TrialEnding = "ended";
  try {
    const result = run({ payload, meta });
    assertPlain(result.payload, source);
    assertPlain(result.meta, source);
    if (!result.payloadChanged) assert.equal(result.payload, payload, source);
  } catch (error) {
    assert.ok(error instanceof ScriptError && !error.message.startsWith("internal"), `${error}\n${source}`);
    assert.ok(error.line >= 1 && error.column >= 1, source);
    ending = "failed";
  }
  assert.equal(JSON.stringify([payload, meta]), `[${PAYLOAD},{"m":1}]`, source);
  return ending;
}

/** Everything in a result must be plain: nothing of ours may leave a run. */
function assertPlain(data: unknown, source: string): void {
  if (typeof data !== "object" || data === null || data instanceof Uint8Array) return;
  if (!Array.isArray(data)) assert.equal(Object.getPrototypeOf(data), Object.prototype, source);
  for (const member of Object.values(data)) assertPlain(member, source);
}
