/** Owns arithmetic on ints of any size. Operands are numbers within 2^53 or bigints; results are in the same form. */

import { Fault } from "../values/fault.ts";
import type { Thread } from "../values/thread.ts";
import { int, type Value } from "../values/value.ts";

/** An int in either form. */
export type Int = number | bigint;

const WORD_BITS = 64;
/** A left shift may not go so far: the dialect's own limit. */
const SHIFT_END = 512;
/** Products of words, or squares of their number, that one step pays for. */
const STEP_WORD_PRODUCTS = 128;
/** Words written that one step pays for. */
const STEP_WORDS = 4;
/** Powers of two by which the size of an int is told: comparing with them looks at lengths only. */
const SIZES = Array.from({ length: 16 }, (_, index) => ({ words: 2 ** index, power: 1n << BigInt(64 * 2 ** index) }));

/** Number of words in an int: at least as many as it has, and less than twice as many. */
export function words(value: Int): number {
  if (typeof value === "number") return 1;
  const size = value < 0n ? -value : value;
  const found = SIZES.find(({ power }) => size < power);
  if (found !== undefined) return found.words;
  let count = 2 * (SIZES.at(-1)?.words ?? 1);
  while (size >> BigInt(WORD_BITS * count) > 0n) count *= 2;
  return count;
}

/** Takes the steps for work that grows with the size of both ints, such as adding. */
export function chargeLinear(thread: Thread, a: Int, b: Int): void {
  const size = words(a) + words(b);
  if (size > 2) thread.charge(Math.ceil(size / STEP_WORDS));
}

/** Takes the steps for work that grows with the product of the sizes, such as multiplying. */
export function chargeProduct(thread: Thread, a: Int, b: Int): void {
  const product = words(a) * words(b);
  if (product > 1) thread.charge(Math.ceil(product / STEP_WORD_PRODUCTS));
}

/** Takes the steps for dividing, which costs several times as much as multiplying. */
function chargeQuotient(thread: Thread, a: Int, b: Int): void {
  const product = words(a) * words(b);
  if (product > 1) thread.charge(Math.ceil(4 * product / STEP_WORD_PRODUCTS));
}

/** `a + b`. */
export function addInts(a: Int, b: Int, thread: Thread): Value {
  chargeLinear(thread, a, b);
  return int(BigInt(a) + BigInt(b));
}

/** `a - b`. */
export function subtractInts(a: Int, b: Int, thread: Thread): Value {
  chargeLinear(thread, a, b);
  return int(BigInt(a) - BigInt(b));
}

/** `a * b`. */
export function multiplyInts(a: Int, b: Int, thread: Thread): Value {
  chargeProduct(thread, a, b);
  return int(BigInt(a) * BigInt(b));
}

/** `a // b`, rounded down. @throws {Fault} for a zero divisor. */
export function floorDivideInts(a: Int, b: Int, thread: Thread): Value {
  if (b === 0) throw new Fault("floored division by zero");
  if (typeof a === "number" && typeof b === "number") return floorSmall(a, b);
  chargeQuotient(thread, a, b);
  const [x, y] = [BigInt(a), BigInt(b)];
  const quotient = x / y;
  const isInexact = quotient * y !== x;
  return int(isInexact && (x < 0n) !== (y < 0n) ? quotient - 1n : quotient);
}

/** Exact for all safe integers, where rounding down the quotient of floats would not be. */
function floorSmall(a: number, b: number): number {
  const rest = a % b;
  const truncated = (a - rest) / b;
  return (rest !== 0 && (rest < 0) !== (b < 0) ? truncated - 1 : truncated) + 0;
}

function moduloSmall(a: number, b: number): number {
  const rest = a % b;
  return rest !== 0 && (rest < 0) !== (b < 0) ? rest + b : rest + 0;
}

/** `a % b`, with the sign of b. @throws {Fault} for a zero divisor. */
export function moduloInts(a: Int, b: Int, thread: Thread): Value {
  if (b === 0) throw new Fault("integer modulo by zero");
  if (typeof a === "number" && typeof b === "number") return moduloSmall(a, b);
  chargeQuotient(thread, a, b);
  const divisor = BigInt(b);
  const rest = BigInt(a) % divisor;
  return int(rest !== 0n && (rest < 0n) !== (divisor < 0n) ? rest + divisor : rest);
}

/** Operators on the bits of two's complement. */
export function bitwiseInts(operator: "&" | "|" | "^", a: Int, b: Int, thread: Thread): Value {
  chargeLinear(thread, a, b);
  const [x, y] = [BigInt(a), BigInt(b)];
  return int(operator === "&" ? x & y : operator === "|" ? x | y : x ^ y);
}

/** `a << b` and `a >> b`. @throws {Fault} for a negative count, or a left shift of 512 and more. */
export function shiftInts(operator: "<<" | ">>", a: Int, b: Int, thread: Thread): Value {
  if (b < 0) throw new Fault(`negative shift count: ${b}`);
  if (operator === ">>") {
    chargeLinear(thread, a, 0);
    return int(BigInt(a) >> BigInt(b));
  }
  if (b >= SHIFT_END) throw new Fault(`shift count too large: ${b} (it must be below ${SHIFT_END})`);
  thread.charge(Math.ceil((words(a) + Number(b) / WORD_BITS) / STEP_WORDS));
  return int(BigInt(a) << BigInt(b));
}

/** `-a`. */
export function negateInt(a: Int, thread: Thread): Value {
  chargeLinear(thread, a, 0);
  return typeof a === "number" ? 0 - a : int(-a);
}

/** `~a`. */
export function invertInt(a: Int, thread: Thread): Value {
  chargeLinear(thread, a, 0);
  return typeof a === "number" ? -1 - a : int(~a);
}

/** Decimal digits. Takes steps, as they cost the square of the length. */
export function intText(value: Int, thread: Thread): string {
  if (typeof value === "number") return Number.isSafeInteger(value) ? String(value + 0) : BigInt(value).toString();
  chargeProduct(thread, value, value);
  return value.toString();
}

/** The nearest float. @throws {Fault} for an int beyond all floats. */
export function intToFloat(value: Int): number {
  const float = Number(value) + 0;
  if (!Number.isFinite(float)) throw new Fault("int too large to convert to float");
  return float;
}
