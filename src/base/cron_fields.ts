/** Owns the telling of what is wrong with a cron expression: which of its fields, and what that field may be. */

import { Cron } from "croner";
import { didYouMean } from "./suggestion.ts";

/** The fields in their order, each with what it may hold. */
const FIELDS = [
  ["minute", "0 to 59"],
  ["hour", "0 to 23"],
  ["day of month", "1 to 31"],
  ["month", "1 to 12 or jan to dec"],
  ["day of week", "0 to 7 or sun to sat"],
] as const;

/** How a field's values may be put together. */
const FORMS = "alone or in lists, rising ranges and steps of at least 1";
/** Names that stand for a whole expression. */
const NICKNAMES = ["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"];
const BLANK_REGEXP = /\s+/;

/** What is wrong with an expression that cannot be read, to follow a colon. */
export function cronTrouble(expression: string): string {
  const text = expression.trim();
  if (text.startsWith("@")) {
    const hint = didYouMean(text, NICKNAMES);
    return `the names that stand for one are ${NICKNAMES.join(", ")}${hint === undefined ? "" : `; ${hint}`}`;
  }
  const fields = text === "" ? [] : text.split(BLANK_REGEXP);
  if (fields.length !== FIELDS.length) {
    const names = FIELDS.map(([name]) => name).join(", ");
    return `it needs the fields ${names}, and has ${fields.length} ${fields.length === 1 ? "field" : "fields"}`;
  }
  const troubles = FIELDS.flatMap(([name, range], at) => {
    const field = fields[at] ?? "";
    return readCron(FIELDS.map((_, i) => i === at ? field : "*").join(" ")) === undefined
      ? [{ name, range, field }]
      : [];
  });
  // Where every field is right by itself, what is wrong is something between them.
  if (troubles.length === 0) return "its fields do not go together";
  return troubles
    .map(({ name, range, field }) => `its ${name} cannot be ${JSON.stringify(field)}: ${range}, ${FORMS}`)
    .join("; ");
}

/** Reads an expression as if in UTC; undefined where it is none. */
export function readCron(expression: string): Cron | undefined {
  try {
    return new Cron(expression, { mode: "5-part", timezone: "UTC", paused: true });
  } catch {
    // Reading is all it does: whatever it throws says, in words of its own, that the text is no expression.
    return undefined;
  }
}
