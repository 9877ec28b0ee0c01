/** Owns the shape of what a function may be called with. */

import { nearest } from "./spelling.ts";

/** What a function accepts. Names are those callers may use; an empty name is for position only. */
export interface Signature {
  readonly name: string;
  /** Parameters that may be given by position, in order. */
  readonly positional: readonly SignatureParameter[];
  /** Parameters that are given by name only. */
  readonly keywordOnly: readonly SignatureParameter[];
  /** Whether further positional arguments are accepted. */
  readonly takesSequence: boolean;
  /** Whether further named arguments are accepted. */
  readonly takesMapping: boolean;
}

/** One parameter of a {@linkcode Signature}. */
export interface SignatureParameter {
  readonly name: string;
  readonly isRequired: boolean;
  /** Whether a caller may name it. */
  readonly isNameable: boolean;
}

/** The shape of a call as far as the text tells. */
export interface CallShape {
  readonly positionalCount: number;
  readonly names: readonly string[];
  /** Whether `*args` or `**kwargs` may add more. */
  readonly isOpen: boolean;
}

/** Says what is wrong with a call, or undefined when nothing is. */
export function callFault(signature: Signature, call: CallShape): string | undefined {
  const { name, positional, keywordOnly } = signature;
  if (!signature.takesSequence && call.positionalCount > positional.length) {
    return tooMany(signature, call.positionalCount);
  }
  const all = [...positional, ...keywordOnly];
  for (const given of call.names) {
    const index = all.findIndex((parameter) => parameter.isNameable && parameter.name === given);
    if (index === -1 && !signature.takesMapping) {
      const near = nearest(given, all.filter(({ isNameable }) => isNameable).map((parameter) => parameter.name));
      const hint = near === undefined ? "" : ` (did you mean ${near}?)`;
      return `function ${name} got an unexpected keyword argument ${JSON.stringify(given)}${hint}`;
    }
    if (index !== -1 && index < Math.min(call.positionalCount, positional.length)) {
      return `function ${name} got multiple values for parameter ${JSON.stringify(given)}`;
    }
  }
  if (call.isOpen) return undefined;
  const missing = all.filter((parameter, index) => {
    const isGiven = (index < positional.length && index < call.positionalCount) ||
      (parameter.isNameable && call.names.includes(parameter.name));
    return parameter.isRequired && !isGiven;
  });
  return missing.length === 0 ? undefined : missingFault(name, missing.map((parameter) => parameter.name));
}

/** The message for arguments that were needed and not given. */
export function missingFault(name: string, missing: readonly string[]): string {
  const plural = missing.length === 1 ? "" : "s";
  return `function ${name} missing ${missing.length} argument${plural} (${missing.join(", ")})`;
}

/** The message for more positional arguments than there are parameters. */
export function tooMany({ name, positional, takesMapping, keywordOnly }: Signature, given: number): string {
  const count = positional.length;
  if (count === 0 && !takesMapping && keywordOnly.length === 0) {
    return `function ${name} accepts no arguments (${given} given)`;
  }
  const most = positional.some((parameter) => !parameter.isRequired) ? "at most " : "";
  const plural = count === 1 ? "" : "s";
  return `function ${name} accepts ${most}${count} positional argument${plural} (${given} given)`;
}
