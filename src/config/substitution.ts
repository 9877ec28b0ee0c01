/**
 * Owns the replacing of references in a tree. Every text is read once: the environment's values go in first, and what
 * they bring in is never looked at again, not even by the later pass for constants.
 */

import type { DiagnosticBag, Span } from "../diagnostics/mod.ts";
import { didYouMean } from "../base/mod.ts";
import { placeInText } from "./text_places.ts";
import { TextBuilder } from "./text_builder.ts";
import {
  ESCAPE_HINT,
  hasReference,
  type LiteralPart,
  type ReferencePart,
  type TemplatePart,
  templateParts,
} from "./template.ts";
import type { Entry, ListTree, MappingTree, PendingReference, ScalarTree, Tree } from "./tree.ts";

/** Gives the value of an environment variable, or undefined where it is not set. */
export type Environment = (name: string) => string | undefined;

/** What becomes of one reference. */
type Resolution =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "removed" }
  | { readonly kind: "unresolved" }
  | { readonly kind: "pending"; readonly scope: PendingReference["scope"]; readonly name: string };

const UNRESOLVED: Resolution = { kind: "unresolved" };

/** Scopes that exist beside the environment. */
const SCOPES = ["constants", "parameters"] as const;

/** Replaces `${VAR}`, `${?VAR}` and `${VAR:-text}` in every text of a tree, and marks references to other scopes. */
export class EnvironmentSubstitution {
  readonly #environment: Environment;
  readonly #bag: DiagnosticBag;

  constructor(environment: Environment, bag: DiagnosticBag) {
    this.#environment = environment;
    this.#bag = bag;
  }

  /** The mapping without the entries that an unset `${?VAR}` removed. Keys are left alone. */
  mapping(tree: MappingTree): MappingTree {
    const entries = new Map<string, Entry>();
    for (const [name, entry] of tree.entries) {
      const value = this.#tree(entry.value);
      if (value !== undefined) entries.set(name, { key: entry.key, value });
    }
    return { ...tree, entries };
  }

  #tree(tree: Tree): Tree | undefined {
    switch (tree.kind) {
      case "mapping":
        return this.mapping(tree);
      case "list": {
        const items = tree.items.map((item) => this.#tree(item)).filter((item) => item !== undefined);
        return { ...tree, items } satisfies ListTree;
      }
      case "scalar":
        return typeof tree.value === "string" && hasReference(tree.value) ? this.#text(tree, tree.value) : tree;
    }
  }

  #text(tree: ScalarTree, text: string): ScalarTree | undefined {
    const parts = templateParts(text);
    const builder = new TextBuilder(tree);
    const pending: PendingReference[] = [];
    let substituted = false;
    let unresolved = false;
    for (const part of parts) {
      if (part.kind === "literal") {
        builder.copy(part.text, part.start);
        continue;
      }
      const span = placeInText(tree.span, tree.segments, part.start);
      const found = this.#resolve(part, span);
      if (found.kind === "removed") return undefined;
      if (found.kind === "text") {
        builder.replace(found.text, part.start);
        substituted = true;
        continue;
      }
      const start = builder.length;
      builder.copy(text.slice(part.start, part.end), part.start);
      if (found.kind === "unresolved") unresolved = true;
      else pending.push({ start, end: builder.length, scope: found.scope, name: found.name });
    }
    return {
      ...builder.scalar(),
      ...(pending.length === 0 ? {} : { pending }),
      ...(substituted ? { substituted } : {}),
      ...(unresolved ? { unresolved } : {}),
      ...(substituted && parts.length === 1 ? { reference: true } : {}),
    };
  }

  #resolve(part: Exclude<TemplatePart, LiteralPart>, span: Span): Resolution {
    if (part.kind === "malformed") {
      this.#bag.report("cfg_scope_unknown", span, part.problem, { hint: part.hint });
      return UNRESOLVED;
    }
    if (part.scope === undefined) return this.#value(part, span);
    const scope = SCOPES.find((known) => known === part.scope);
    if (scope === undefined) {
      const known = "${VAR}, ${constants.name} and ${parameters.name}";
      const message = `"\${${part.scope}.${part.name}}" has no known scope; there are ${known}`;
      const hint = part.scope === "env" ? `write \${${part.name}}` : didYouMean(part.scope, SCOPES) ?? ESCAPE_HINT;
      this.#bag.report("cfg_scope_unknown", span, message, { hint });
      return UNRESOLVED;
    }
    if (part.optional || part.fallback !== undefined) {
      const form = part.optional ? "?" : ":-";
      const message = `${form} is for environment variables only, not for ${scope}.${part.name}`;
      this.#bag.report("cfg_scope_unknown", span, message);
      return UNRESOLVED;
    }
    return { kind: "pending", scope, name: part.name };
  }

  #value(part: ReferencePart, span: Span): Resolution {
    const value = this.#environment(part.name);
    // As in a shell, `:-` stands in for a variable that is set to nothing, too.
    if (part.fallback !== undefined) {
      return { kind: "text", text: value === undefined || value === "" ? part.fallback : value };
    }
    if (value !== undefined) return { kind: "text", text: value };
    if (part.optional) return { kind: "removed" };
    this.#bag.report("cfg_env_unset", span, `the environment variable ${part.name} is not set`, {
      hint: `set it, or write \${${part.name}:-default}, or \${?${part.name}} to leave the value out`,
    });
    return UNRESOLVED;
  }
}
