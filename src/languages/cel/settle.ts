/** Owns turning the result of an evaluation into plain data. */

import { CelMeter } from "./meter.ts";
import { formatDuration, formatTimestamp } from "./time.ts";
import { CelDuration, CelMap, CelObject, CelTimestamp, CelType, CelUint, isDataMap } from "./value.ts";

/** Units that a character of a result costs. */
const UNITS_PER_CHARACTER = 0.01;

/**
 * A value as plain data: ints and uints as number where a double holds them exactly and as bigint beyond, timestamps as
 * RFC 3339 text, durations as seconds (`90s`), types by name, maps with string keys as objects and others as `Map`.
 * What is plain already is passed on, not copied.
 *
 * A result costs a unit for each of its values, as often as they stand in it: an expression such as
 * `[1].map(x, [x, x])`, done again on its own result, holds few lists and shows as more than anybody could write.
 * @throws {EventboatError} `budget` when that comes to more than an evaluation may cost.
 */
export function settleCel(value: unknown): unknown {
  if (typeof value === "bigint") return settleInteger(value);
  if (typeof value !== "object" || value === null) return value;
  // A map of the message is what it is; it is counted where it stands in something that was made.
  if (isDataMap(value)) return value;
  const bill = new ResultBill();
  bill.start(0);
  return settle(value, bill);
}

/** What a result costs. */
class ResultBill extends CelMeter {
  readonly #mapCosts = new Map<object, number>();

  /** Takes the cost of a map of plain data, which is gone through once however often it stands in the result. */
  spendMap(map: object): void {
    const known = this.#mapCosts.get(map);
    if (known !== undefined) return this.spend(known);
    const before = this.spent;
    for (const member of Object.values(map)) this.#spendPlain(member);
    this.#mapCosts.set(map, this.spent - before);
  }

  #spendPlain(value: unknown): void {
    this.spend(1);
    if (typeof value === "string") this.spend(value.length * UNITS_PER_CHARACTER);
    else if (Array.isArray(value)) { for (const element of value) this.#spendPlain(element); }
    else if (isDataMap(value)) this.spendMap(value);
  }
}

function settle(value: unknown, bill: ResultBill): unknown {
  bill.spend(1);
  if (typeof value === "bigint") return settleInteger(value);
  if (typeof value === "string") bill.spend(value.length * UNITS_PER_CHARACTER);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return settleList(value, bill);
  if (value instanceof CelObject) return settleObject(value, bill);
  if (value instanceof Uint8Array) bill.spend(value.length * UNITS_PER_CHARACTER);
  else if (isDataMap(value)) bill.spendMap(value);
  return value;
}

function settleInteger(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function settleList(list: readonly unknown[], bill: ResultBill): readonly unknown[] {
  const settled = list.map((element) => settle(element, bill));
  return settled.some((element, index) => element !== list[index]) ? settled : list;
}

function settleObject(value: CelObject, bill: ResultBill): unknown {
  if (value instanceof CelUint) return settleInteger(value.unsigned);
  if (value instanceof CelTimestamp) return formatTimestamp(value);
  if (value instanceof CelDuration) return formatDuration(value);
  if (value instanceof CelType) return value.typeName;
  return value instanceof CelMap ? settleMap(value, bill) : null;
}

function settleMap(map: CelMap, bill: ResultBill): unknown {
  const entries = map.entries().map(([key, value]) => [settle(key, bill), settle(value, bill)] as const);
  const isPlain = entries.every(([key]) => typeof key === "string");
  // `fromEntries` makes own properties of every key, `__proto__` too.
  return isPlain ? Object.fromEntries(entries as readonly (readonly [string, unknown])[]) : new Map(entries);
}
