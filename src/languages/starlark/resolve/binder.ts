/** Owns the finding of the names that a block of statements binds. */

import type { Expression, Name, Statement } from "../syntax/tree.ts";

/** Takes a name at the place where it is bound; `isDefinition` for a `def`. */
export type NameTaker = (name: Name, statement: Statement | undefined) => void;

/** Calls `take` for every name that the statements bind themselves, in order; nested functions bind their own. */
export function eachBound(statements: readonly Statement[], take: NameTaker): void {
  for (const statement of statements) {
    switch (statement.kind) {
      case "assignment":
        eachTarget(statement.target, (name) => take(name, statement));
        break;
      case "definition":
        take(statement.name, statement);
        break;
      case "if":
        for (const branch of statement.branches) eachBound(branch.body, take);
        eachBound(statement.otherwise, take);
        break;
      case "for":
        eachTarget(statement.target, (name) => take(name, statement));
        eachBound(statement.body, take);
        break;
      case "while":
        eachBound(statement.body, take);
        break;
      case "load":
        for (const { local } of statement.names) take(local, statement);
        break;
    }
  }
}

/** Calls `take` for every name in an assignment's target. */
export function eachTarget(target: Expression, take: (name: Name) => void): void {
  if (target.kind === "name") take(target);
  else if (target.kind === "list" || target.kind === "tuple") {
    for (const item of target.items) eachTarget(item, take);
  }
}
