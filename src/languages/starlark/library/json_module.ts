/** Owns the `json` module and `safe_json_decode`. */

import { Fault } from "../values/fault.ts";
import type { NativeFunction } from "../values/callable.ts";
import type { Thread } from "../values/thread.ts";
import { StarlarkBytes, StarlarkModule, type Value } from "../values/value.ts";
import { textArgument } from "./arguments.ts";
import { indentJson } from "./json_indent.ts";
import { readJson } from "./json_reader.ts";
import { writeJson } from "./json_writer.ts";
import { native } from "./native.ts";

/** What a text that is no JSON costs beside its reading: a failure is dear. */
const STEPS_FAILED = 50;

/** The text's value, or the fallback when it is no JSON. Steps that are used up stay used up. */
function decodeOr(text: string, fallback: Value, thread: Thread): Value {
  try {
    return readJson(text, thread);
  } catch (error) {
    if (!(error instanceof Fault) || error.kind === "steps") throw error;
    thread.charge(STEPS_FAILED);
    return fallback;
  }
}

const DECODE = native("decode", "x default?", (thread, [x, fallback]) => {
  const text = textArgument(x, { owner: "json.decode", parameter: "x" });
  return fallback === undefined ? readJson(text, thread) : decodeOr(text, fallback, thread);
});

const ENCODE = native("encode", "x /", (thread, [x]) => writeJson(x ?? null, thread));

const INDENT = native("indent", "s / * prefix? indent?", (thread, [s, prefix, indent]) => {
  const text = textArgument(s, { owner: "json.indent", parameter: "s" });
  return indentJson(text, layout(prefix, indent), thread);
});

const ENCODE_INDENT = native("encode_indent", "x / * prefix? indent?", (thread, [x, prefix, indent]) => {
  return indentJson(writeJson(x ?? null, thread), layout(prefix, indent), thread);
});

function layout(prefix: Value | undefined, indent: Value | undefined) {
  return {
    prefix: prefix === undefined ? "" : textArgument(prefix, { owner: "json.indent", parameter: "prefix" }),
    indent: indent === undefined ? "\t" : textArgument(indent, { owner: "json.indent", parameter: "indent" }),
  };
}

/** The module. */
export const JSON_MODULE = new StarlarkModule(
  "json",
  new Map<string, NativeFunction>([DECODE, ENCODE, ENCODE_INDENT, INDENT].map((each) => [each.name, each])),
);

/** `safe_json_decode(text, default)`: the text's value, or the default when it is no JSON, not even text. */
export const SAFE_JSON_DECODE = native("safe_json_decode", "text default? /", (thread, [text, fallback]) => {
  const otherwise = fallback ?? null;
  if (typeof text === "string") return decodeOr(text, otherwise, thread);
  if (!(text instanceof StarlarkBytes)) return otherwise;
  thread.chargeText(text.bytes.length);
  let decoded: string;
  try {
    decoded = new TextDecoder("utf-8", { fatal: true }).decode(text.bytes);
  } catch {
    // Not UTF-8, hence no JSON.
    return otherwise;
  }
  return decodeOr(decoded, otherwise, thread);
});
