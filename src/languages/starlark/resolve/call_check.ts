/** Owns the checks of a call that need no run: the order of its arguments and the arity of known functions. */

import type { Issues } from "../syntax/issues.ts";
import type { Argument, Call, Expression, FunctionNode } from "../syntax/tree.ts";
import { callFault, type Signature, type SignatureParameter } from "./signature.ts";

/** Reports what is wrong with a call. `checksArity` is false where the call may be meant to fail. */
export function checkCall(
  call: Call,
  issues: Issues,
  signatureOf: (callee: Expression) => Signature | undefined,
  checksArity: boolean,
): void {
  if (!argumentsAreOrdered(call.arguments, issues) || !checksArity) return;
  const binding = call.callee.kind === "name" ? call.callee.binding : undefined;
  const definition = binding?.assignments === 1 ? binding.definition : undefined;
  const signature = definition === undefined ? signatureOf(call.callee) : functionSignature(definition);
  if (signature === undefined) return;
  const fault = callFault(signature, {
    positionalCount: call.arguments.filter((argument) => argument.form === "positional").length,
    names: call.arguments.filter((argument) => argument.form === "named").map((argument) => argument.name),
    isOpen: call.arguments.some((argument) => argument.form === "sequence" || argument.form === "mapping"),
  });
  if (fault !== undefined) issues.report(fault, call.start, call.end);
}

function argumentsAreOrdered(found: readonly Argument[], issues: Issues): boolean {
  const names = new Set<string>();
  const seen = { named: false, sequence: false, mapping: false };
  for (const { form, name, start, end } of found) {
    let fault: string | undefined;
    if (seen.mapping) fault = form === "mapping" ? "multiple **kwargs in one call" : "nothing may follow **kwargs";
    else if (form === "sequence" && seen.sequence) fault = "multiple *args in one call";
    else if (form === "positional" && seen.sequence) fault = "a positional argument may not follow *args";
    else if (form === "positional" && seen.named) fault = "a positional argument may not follow a named one";
    else if (form === "named" && names.has(name)) fault = `keyword argument ${JSON.stringify(name)} is repeated`;
    if (fault !== undefined) {
      issues.report(fault, start, end);
      return false;
    }
    if (form === "named") names.add(name);
    if (form !== "positional") seen[form] = true;
  }
  return true;
}

/** What a function of the script accepts. */
export function functionSignature(node: FunctionNode): Signature {
  const positional: SignatureParameter[] = [];
  const keywordOnly: SignatureParameter[] = [];
  let takesSequence = false;
  let takesMapping = false;
  let into = positional;
  for (const { form, name, fallback } of node.parameters) {
    if (form === "plain") into.push({ name: name?.name ?? "", isRequired: fallback === undefined, isNameable: true });
    else if (form === "mapping") takesMapping = true;
    else {
      takesSequence ||= form === "sequence";
      into = keywordOnly;
    }
  }
  return { name: node.name, positional, keywordOnly, takesSequence, takesMapping };
}
