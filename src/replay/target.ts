/** Owns where replayed messages enter: the node that they name, or the one that was asked for. */

import { EventboatError } from "../diagnostics/mod.ts";
import type { Plan } from "../plan/mod.ts";

/** Names listed of nodes that are missing. */
const NAMES_MAX = 5;

/** Judges where messages go, before any of them does. */
export class Targets {
  readonly #plan: Pick<Plan, "name" | "nodes">;
  readonly #at: string | undefined;
  readonly #known: ReadonlySet<string>;
  readonly #missing = new Map<string, number>();

  /** @throws {EventboatError} `usage` when the pipeline does not have the node that is asked for. */
  constructor(plan: Pick<Plan, "name" | "nodes">, at: string | undefined) {
    this.#plan = plan;
    this.#at = at;
    this.#known = new Set(plan.nodes.map(({ name }) => name));
    if (at === undefined || this.#known.has(at)) return;
    throw new EventboatError("usage", `cannot replay at ${at}: pipeline ${plan.name} has no such node`, {
      hint: `its nodes are ${[...this.#known].join(", ")}`,
    });
  }

  /** The node that a message enters; undefined, and noted, where the pipeline no longer has it. */
  of(node: string): string | undefined {
    const target = this.#at ?? node;
    if (this.#known.has(target)) return target;
    this.#missing.set(target, (this.#missing.get(target) ?? 0) + 1);
    return undefined;
  }

  /** @throws {EventboatError} `usage` when there were messages of nodes that the pipeline does not have. */
  refuseMissing(): void {
    if (this.#missing.size === 0) return;
    const names = [...this.#missing].slice(0, NAMES_MAX).map(([name, count]) => `${name} (${count})`);
    const more = this.#missing.size > NAMES_MAX ? ` and ${this.#missing.size - NAMES_MAX} more` : "";
    throw new EventboatError(
      "usage",
      `cannot replay messages of nodes that pipeline ${this.#plan.name} does not have: ${names.join(", ")}${more}`,
      { hint: "--at NODE lets them enter another node; --where leaves them out" },
    );
  }
}
