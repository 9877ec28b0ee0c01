/** Owns "did you mean": the known name nearest to one that is not known. */

/** Longest name that is compared: beyond it a guess says nothing, and the cost grows with the square. */
const NAME_LENGTH_MAX = 64;
const WORD_END_REGEXP = /[-_.]/;

/**
 * The known name that takes the fewest single-character edits; where none is near enough to be meant, the only one that
 * has all words of the name or no others; else undefined.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > NAME_LENGTH_MAX) return undefined;
  const distanceMax = Math.max(1, Math.floor(name.length / 3));
  let nearest: string | undefined;
  let least = distanceMax + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) >= least) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < least) [least, nearest] = [distance, candidate];
  }
  return nearest ?? longerName(name, known);
}

/** The only known name that says what a name says and more, or less, such as `timeout_ms` for `timeout`. */
function longerName(name: string, known: Iterable<string>): string | undefined {
  const words = wordsOf(name);
  if (words.length === 0) return undefined;
  const fitting: string[] = [];
  for (const candidate of known) {
    const others = wordsOf(candidate);
    const holdsAll = words.every((word) => others.includes(word)) || others.every((word) => words.includes(word));
    if (holdsAll) fitting.push(candidate);
  }
  return fitting.length === 1 ? fitting[0] : undefined;
}

function wordsOf(name: string): readonly string[] {
  return name.toLowerCase().split(WORD_END_REGEXP).filter((word) => word !== "").map(singular);
}

/** One of what a word names several of, as English mostly has it. */
function singular(word: string): string {
  return word.endsWith("ies") ? `${word.slice(0, -3)}y` : word.endsWith("s") ? word.slice(0, -1) : word;
}

/** Edits (insert, delete, replace, swap of neighbours) between two texts. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      }
      row.push(cost);
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
