/** Owns the way a message's payload and meta go into a run and come out of it. */

import type { Meta } from "../../../message/mod.ts";
import type { Scope } from "../../scope.ts";
import type { ScriptResult } from "../program.ts";
import { type DictRecord, EMPTY_RECORD, StarlarkDict } from "../values/dict.ts";
import { Fault, faultAt } from "../values/fault.ts";
import { StarlarkList } from "../values/list.ts";
import type { Thread } from "../values/thread.ts";
import { typeName, type Value } from "../values/value.ts";
import { wrap } from "../values/wrap.ts";
import { PlainData } from "./plain_data.ts";

/** Stands for the dict of what is no mapping: it has no members and takes none. */
const NO_DICT = StarlarkDict.over(EMPTY_RECORD, null, "").freeze();

/** The value of a payload as it comes. Nothing is copied. */
export function openPayload(payload: unknown): Value {
  return wrap(payload, null, "");
}

/** The dict over a message's metadata. */
export function openDict(record: Meta): StarlarkDict {
  return StarlarkDict.over(record as DictRecord, null, "");
}

/** The value itself when it is a dict, else one that has nothing. */
export function dictIn(value: Value): StarlarkDict {
  return value instanceof StarlarkDict ? value : NO_DICT;
}

/** Makes the result of a run. `site` is where the run ended, for what cannot leave it. */
export function finish(
  thread: Thread,
  site: number,
  payload: Value,
  payloadDict: StarlarkDict,
  raw: unknown,
  payloadRebound: boolean,
  meta: Value | undefined,
  metaDict: StarlarkDict | undefined,
  metaRebound: boolean,
  scope: Scope,
): ScriptResult {
  let [newPayload, payloadChanged] = [raw, false];
  if (payloadDict.owned && payloadDict.isRecord && payloadDict.settleFloats()) {
    newPayload = payloadDict.record;
    payloadChanged = true;
  } else if (payloadRebound || payloadDict.owned || payload instanceof StarlarkList) {
    newPayload = closePayload(payload, thread, site);
    payloadChanged = newPayload !== raw;
  }
  let newMeta: Meta | undefined;
  if (metaRebound || metaDict?.owned === true) {
    newMeta = closeMeta(meta, thread, site);
    // Bound again to what it was: no change.
    if (metaRebound && newMeta === scope.meta) newMeta = undefined;
  }
  return {
    payload: newPayload,
    meta: newMeta,
    payloadChanged,
    metaChanged: newMeta !== undefined,
    filtered: payloadRebound && payload === null,
    steps: thread.steps,
  };
}

/** Makes the result of a run that could not change anything. */
export function finishReading(thread: Thread, payload: unknown): ScriptResult {
  return {
    payload,
    meta: undefined,
    payloadChanged: false,
    metaChanged: false,
    filtered: false,
    steps: thread.steps,
  };
}

function closePayload(payload: Value, thread: Thread, site: number): unknown {
  try {
    return new PlainData(thread, "payload").of(payload);
  } catch (error) {
    throw faultAt(error, site);
  }
}

function closeMeta(meta: Value | undefined, thread: Thread, site: number): Meta | undefined {
  // Bound again by a statement that did not run.
  if (meta === undefined) return undefined;
  try {
    if (!(meta instanceof StarlarkDict)) throw new Fault(`meta is ${typeName(meta)}; it must be a dict`);
    return new PlainData(thread, "meta").of(meta) as Meta;
  } catch (error) {
    throw faultAt(error, site);
  }
}
