/** Owns dots: fields of data, members of modules, methods of values. */

import { findMethod, type MethodFamily, methodFor, methodNames } from "../library/methods.ts";
import { nearest } from "../resolve/spelling.ts";
import { BoundMethod, Callable, type NamedArguments } from "../values/callable.ts";
import { StarlarkDict } from "../values/dict.ts";
import { Fault, faultAt } from "../values/fault.ts";
import type { Thread } from "../values/thread.ts";
import { StarlarkModule, typeName, type Value } from "../values/value.ts";

/** The value of `target.name`, or undefined. A dict's own key comes before its type's method. */
export function findAttribute(target: Value, name: string): Value | undefined {
  if (target instanceof StarlarkDict) {
    const member = target.getMember(name);
    if (member !== undefined) return member;
  } else if (target instanceof StarlarkModule) return target.members.get(name);
  const method = findMethod(target, name);
  return method === undefined ? undefined : new BoundMethod(target, method);
}

/** Names that `dir` gives, sorted. */
export function attributeNames(target: Value): string[] {
  const own = target instanceof StarlarkModule ? [...target.members.keys()] : methodNames(target);
  return own.toSorted();
}

/** `target.name`. @throws {Fault} at `site`. */
export function getAttribute(target: Value, name: string, site: number): Value {
  const value = findAttribute(target, name);
  if (value === undefined) throw faultAt(missingAttribute(target, name), site);
  return value;
}

/** The fault of a field that is not there. */
export function missingAttribute(target: Value, name: string): Fault {
  const candidates = [...attributeNames(target), ...target instanceof StarlarkDict ? target.keys() : []];
  const near = nearest(name, candidates.filter((candidate) => typeof candidate === "string"));
  const hint = near === undefined ? "" : ` (did you mean .${near}?)`;
  return new Fault(`${typeName(target)} has no .${name} field or method${hint}`);
}

/** `target.name = value`. @throws {Fault} at `site`. */
export function setAttribute(target: Value, name: string, value: Value, site: number): void {
  try {
    if (!(target instanceof StarlarkDict)) throw new Fault(`can't assign to .${name} field of ${typeName(target)}`);
    target.set(name, value);
  } catch (error) {
    throw faultAt(error, site);
  }
}

/** `callee(args)`. @throws {Fault} at `site`. */
export function call(
  callee: Value,
  args: readonly Value[],
  named: NamedArguments,
  thread: Thread,
  site: number,
): Value {
  try {
    if (!(callee instanceof Callable)) throw new Fault(`invalid call of non-function (${typeName(callee)})`);
    return callee.call(thread, args, named);
  } catch (error) {
    throw faultAt(error, site);
  }
}

/** `target.name(args)`: a method of the type comes before a dict's own key. @throws {Fault} at `site`. */
export function callMethod(
  target: Value,
  family: MethodFamily,
  args: readonly Value[],
  named: NamedArguments,
  thread: Thread,
  site: number,
): Value {
  const method = methodFor(target, family);
  if (method === undefined) return call(getAttribute(target, family.name, site), args, named, thread, site);
  try {
    return method.call(thread, target, args, named);
  } catch (error) {
    throw faultAt(error, site);
  }
}
