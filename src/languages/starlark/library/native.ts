/** Owns the way library functions and methods state their parameters. */

import type { Signature, SignatureParameter } from "../resolve/signature.ts";
import {
  bindArguments,
  type Method,
  type MethodBody,
  type NamedArguments,
  type NativeBody,
  NativeFunction,
} from "../values/callable.ts";
import { Fault } from "../values/fault.ts";
import type { Thread } from "../values/thread.ts";
import { typeName, type Value } from "../values/value.ts";

/**
 * Reads parameters written as `iterable / key? *rest reverse? **extra`: `?` marks what may be left out, what stands
 * before `/` has no name for callers, what follows `*` is given by name only.
 */
export function signature(name: string, parameters: string): Signature {
  const positional: SignatureParameter[] = [];
  const keywordOnly: SignatureParameter[] = [];
  let into = positional;
  let [takesSequence, takesMapping] = [false, false];
  for (const word of parameters.split(" ").filter((part) => part !== "")) {
    if (word === "/") {
      for (const [index, parameter] of positional.entries()) positional[index] = { ...parameter, isNameable: false };
    } else if (word.startsWith("**")) takesMapping = true;
    else if (word.startsWith("*")) {
      takesSequence = word.length > 1;
      into = keywordOnly;
    } else into.push({ name: word.replace("?", ""), isRequired: !word.endsWith("?"), isNameable: true });
  }
  return { name, positional, keywordOnly, takesSequence, takesMapping };
}

/** Stands for further arguments where there are none; nobody changes it. */
const NONE: never[] = [];

/** A library function. */
export function native(name: string, parameters: string, body: NativeBody): NativeFunction {
  return new NativeFunction(signature(name, parameters), body);
}

/** A method of a type; whoever finds it has checked that the receiver is of that type. */
export function method<T extends Value>(name: string, parameters: string, body: MethodBody<T>): Method {
  const shape = signature(name, parameters);
  const { positional } = shape;
  const required = positional.filter((parameter) => parameter.isRequired).length;
  const isSimple = shape.keywordOnly.length === 0 && !shape.takesSequence && !shape.takesMapping;
  return {
    signature: shape,
    call(thread: Thread, receiver: Value, args: readonly Value[], named: NamedArguments): Value {
      // The usual call needs no binding: its arguments are in order already.
      if (named === null && isSimple && args.length >= required && args.length <= positional.length) {
        return body(thread, receiver as T, args as Value[], NONE, NONE);
      }
      const { bound, rest, extra } = bindArguments(shape, args, named, thread);
      return body(thread, receiver as T, bound, rest, extra);
    },
  };
}

/** Methods by name. */
export function methodTable(methods: readonly Method[]): ReadonlyMap<string, Method> {
  return new Map(methods.map((each) => [each.signature.name, each]));
}

/** The fault of an argument that is of the wrong type. */
export function wrongType(owner: string, parameter: string, value: Value | undefined, wanted: string): Fault {
  return new Fault(`${owner}: for parameter ${parameter}: got ${typeName(value ?? null)}, want ${wanted}`);
}
