/** Owns the checks of arguments that library functions share. */

import { Callable } from "../values/callable.ts";
import { elements, isIterable } from "../operations/iteration.ts";
import type { Thread } from "../values/thread.ts";
import { isInt, type Value } from "../values/value.ts";
import { wrongType } from "./native.ts";

/** Which function and parameter an argument is for: what its faults say. */
export interface Argument {
  readonly owner: string;
  readonly parameter: string;
}

/** The argument as a string. */
export function textArgument(value: Value | undefined, { owner, parameter }: Argument): string {
  if (typeof value !== "string") throw wrongType(owner, parameter, value, "string");
  return value;
}

/** The argument as an int that fits a number; larger ones become the nearest that does. */
export function intArgument(value: Value | undefined, { owner, parameter }: Argument): number {
  if (value === undefined || !isInt(value)) throw wrongType(owner, parameter, value, "int");
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(value)));
}

/** The argument as an int, or undefined when it was left out or is None. */
export function optionalInt(value: Value | undefined, argument: Argument): number | undefined {
  return value === undefined || value === null ? undefined : intArgument(value, argument);
}

/** The argument as a bool; false when it was left out. */
export function booleanArgument(value: Value | undefined, { owner, parameter }: Argument): boolean {
  if (value === undefined) return false;
  if (typeof value !== "boolean") throw wrongType(owner, parameter, value, "bool");
  return value;
}

/** The argument as something to call. */
export function callableArgument(value: Value | undefined, { owner, parameter }: Argument): Callable {
  if (!(value instanceof Callable)) throw wrongType(owner, parameter, value, "callable");
  return value;
}

/** The elements of an argument that is iterable. */
export function elementsArgument(
  value: Value | undefined,
  thread: Thread,
  { owner, parameter }: Argument,
): readonly Value[] {
  if (value === undefined || !isIterable(value)) throw wrongType(owner, parameter, value, "iterable");
  return elements(value, thread);
}
