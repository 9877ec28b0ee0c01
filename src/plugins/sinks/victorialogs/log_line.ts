/** Owns the judgement of a line before it is sent: the server answers 200 and drops what it cannot use. */

import { foundText } from "../../../base/mod.ts";
import { readableTime } from "./log_time.ts";

/** The server's parser goes no deeper into a line, counting the line itself. */
const DEPTH_MAX = 300;
/** Longest name of a field, in bytes of UTF-8, with the names of the mappings around it; deeper ones stay JSON. */
const NAME_BYTES_MAX = 128;
/** Most bytes of UTF-8 for one UTF-16 unit. */
const UTF8_BYTES_MAX = 3;
const OPEN_BRACE = 0x7b;
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d]);
const NEWLINE = 0x0a;

const strictDecoder = new TextDecoder("utf-8", { fatal: true });
const encoder = new TextEncoder();

/** What lines are judged by. */
export interface LineRules {
  /** Most bytes, the newline that ends the line among them: the server counts it too. */
  readonly lineBytesMax: number;
  /** Most fields, those of mappings inside it among them. */
  readonly fieldsMax: number;
  /** Where the time is read from: the first of these fields that the line has. */
  readonly timeFields: readonly string[];
}

/** Why the server would drop the line, to follow "the line"; undefined where it would keep it. */
export function lineTrouble(line: Uint8Array, rules: LineRules): string | undefined {
  if (line.length + 1 > rules.lineBytesMax) {
    return `must have at most ${rules.lineBytesMax} bytes with its newline, and it has ${line.length + 1}`;
  }
  if (!mayBeObject(line)) return "must be a JSON object";
  if (line.indexOf(NEWLINE) >= 0) return "must be one line, and there is a newline inside";
  let parsed: unknown;
  try {
    parsed = JSON.parse(strictDecoder.decode(line));
  } catch {
    return "must be a JSON object, and it is no JSON";
  }
  // It begins with a brace and is JSON, so it is a mapping.
  return new Flattening(rules).troubleOf(parsed as JsonObject, line.length >= 2 * DEPTH_MAX);
}

type JsonObject = { readonly [name: string]: unknown };

/** Tells most of what is no object without a parse. */
function mayBeObject(line: Uint8Array): boolean {
  let at = 0;
  while (BLANKS.has(line[at] ?? 0)) at++;
  return line[at] === OPEN_BRACE;
}

/** One line as the server makes fields of it: mappings inside it by dotted names, nulls left out, lists kept as JSON. */
class Flattening {
  readonly #rules: LineRules;
  readonly #times = new Map<string, unknown>();
  #fields = 0;

  constructor(rules: LineRules) {
    this.#rules = rules;
  }

  /** `mayBeDeep`: whether it has enough brackets to be looked at. */
  troubleOf(line: JsonObject, mayBeDeep: boolean): string | undefined {
    if (mayBeDeep && this.#tooDeep(line)) return `must be nested at most ${DEPTH_MAX} deep`;
    this.#visit(line, "");
    if (this.#fields > this.#rules.fieldsMax) {
      return `must have at most ${this.#rules.fieldsMax} fields, and it has ${this.#fields}`;
    }
    const name = this.#rules.timeFields.find((each) => this.#times.has(each));
    if (name === undefined) return undefined;
    const value = this.#times.get(name);
    return readableTime(value) ? undefined : `must hold a time in ${name}, found ${foundText(value)}`;
  }

  /** Level by level: a line may be nested deeper than calls may. */
  #tooDeep(line: JsonObject): boolean {
    let level: readonly unknown[] = [line];
    for (let depth = 1; level.length > 0; depth++) {
      if (depth > DEPTH_MAX) return true;
      level = level.flatMap((value) => Object.values(Object(value))).filter((value) =>
        typeof value === "object" && value !== null
      );
    }
    return false;
  }

  #visit(mapping: JsonObject, prefix: string): void {
    const names = Object.keys(mapping);
    if (names.some((name) => isTooLong(prefix + name))) {
      // The whole mapping becomes one field of JSON text, which is no time.
      this.#fields++;
      this.#noteTime(prefix.slice(0, -1), mapping);
      return;
    }
    for (const name of names) {
      const value = mapping[name];
      if (value === null) continue;
      if (typeof value === "object" && !Array.isArray(value)) {
        this.#visit(value as JsonObject, `${prefix}${name}.`);
        continue;
      }
      this.#fields++;
      this.#noteTime(prefix + name, value);
    }
  }

  #noteTime(name: string, value: unknown): void {
    if (this.#rules.timeFields.includes(name)) this.#times.set(name, value);
  }
}

function isTooLong(name: string): boolean {
  return name.length * UTF8_BYTES_MAX > NAME_BYTES_MAX && encoder.encode(name).length > NAME_BYTES_MAX;
}
