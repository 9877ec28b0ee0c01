/** Owns the wording of "did you mean" hints. */

import { nearestName } from "./nearest_name.ts";

/** Most names a hint lists. */
const NAMES_SHOWN_MAX = 20;

/** The hint that names the known name nearest to an unknown one; undefined where none is near. */
export function didYouMean(name: string, known: Iterable<string>): string | undefined {
  const nearest = nearestName(name, known);
  return nearest === undefined ? undefined : `did you mean "${nearest}"?`;
}

/** The hint that names the nearest known name, or lists all that are known. */
export function didYouMeanOneOf(name: string, known: Iterable<string>): string {
  const names = [...known];
  const listed = names.slice(0, NAMES_SHOWN_MAX).join(", ") + (names.length > NAMES_SHOWN_MAX ? ", ..." : "");
  return didYouMean(name, names) ?? (names.length === 0 ? "none is known here" : `known here: ${listed}`);
}
