/** Owns the judgement of a case's dead letters. */

import type { DeadLetter } from "../store/mod.ts";
import type { Difference } from "./report.ts";
import type { DeadLettersText } from "./suite_schema.ts";

/** Dead letters that a report shows. */
const SHOWN_LETTERS_MAX = 3;

/**
 * Everything in which the dead letters are not as expected. Each sort is counted by itself; a letter of no expected sort
 * is a difference, and so is any where none was expected.
 */
export function judgeDeadLetters(
  expected: readonly DeadLettersText[] | undefined,
  found: readonly DeadLetter[],
): readonly Difference[] {
  const sorts = expected ?? [];
  const differences = sorts.flatMap((sort) => judgeSort(sort, found));
  // An empty sort takes every letter; where its count was wrong, that has been told.
  const stray = found.filter((letter) => !sorts.some((sort) => isOfSort(letter, sort)));
  if (stray.length === 0 || differences.length > 0) return differences;
  return [{
    where: "dead letters",
    expected: sorts.length === 0 ? "none" : "no others",
    found: lettersText(stray.length),
    note: shownLetters(stray),
  }];
}

function judgeSort(sort: DeadLettersText, found: readonly DeadLetter[]): readonly Difference[] {
  const fitting = found.filter((letter) => isOfSort(letter, sort)).length;
  if (sort.count === undefined ? fitting > 0 : fitting === sort.count) return [];
  const wanted = sort.count === undefined ? "at least one" : lettersText(sort.count);
  return [{
    where: "dead letters",
    expected: `${wanted}${sortText(sort)}`,
    found: fitting === found.length ? lettersText(fitting) : `${lettersText(fitting)} like that`,
    ...(found.length === 0 ? {} : { note: `there is ${shownLetters(found)}` }),
  }];
}

function isOfSort(letter: DeadLetter, { reason_contains, class: sortClass, node }: DeadLettersText): boolean {
  return (reason_contains === undefined || letter.reason.includes(reason_contains)) &&
    (sortClass === undefined || letter.class === sortClass) &&
    (node === undefined || letter.node === node);
}

function sortText({ reason_contains, class: sortClass, node }: DeadLettersText): string {
  const parts = [
    ...(node === undefined ? [] : [` at node "${node}"`]),
    ...(sortClass === undefined ? [] : [` of class ${sortClass}`]),
    ...(reason_contains === undefined ? [] : [` with ${JSON.stringify(reason_contains)} in the reason`]),
  ];
  return parts.join("");
}

function lettersText(count: number): string {
  return count === 0 ? "none" : `${count}`;
}

function shownLetters(letters: readonly DeadLetter[]): string {
  const shown = letters.slice(0, SHOWN_LETTERS_MAX).map(({ node, class: letterClass, reason }) =>
    `node "${node}", class ${letterClass}: ${reason}`
  );
  const more = letters.length > shown.length ? `; and ${letters.length - shown.length} more` : "";
  return `${shown.join("; ")}${more}`;
}
