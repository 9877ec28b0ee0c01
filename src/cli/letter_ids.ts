/** Owns ids as the command line takes them: numbers and ranges, with commas between. */

import { InvalidArgumentError } from "commander";

/** Ids one call may name; the operation has the same limit. */
export const LETTER_IDS_MAX = 100_000;
const PART_REGEXP = /^(\d+)(?:-(\d+))?$/;

/** The ids of a text such as `3,7,10-15`. Throws commander's error for anything else. */
export function letterIds(text: string): readonly number[] {
  const ids: number[] = [];
  for (const part of text.split(",")) {
    const found = PART_REGEXP.exec(part.trim());
    const first = Number(found?.[1] ?? 0);
    const last = Number(found?.[2] ?? first);
    if (!(first >= 1 && last >= first && Number.isSafeInteger(last))) {
      throw new InvalidArgumentError(`Ids are numbers and ranges, such as 3,7,10-15; found "${part}".`);
    }
    if (ids.length + last - first + 1 > LETTER_IDS_MAX) {
      throw new InvalidArgumentError(`At most ${LETTER_IDS_MAX} ids can be named.`);
    }
    for (let id = first; id <= last; id++) ids.push(id);
  }
  return ids;
}
