/** Owns the guess at what a misspelt name was meant to be. */

/** Longest name that is compared; longer ones are no typing slip worth the time. */
const NAME_LENGTH_MAX = 64;

/** Most candidates looked at: a script may bind a hundred thousand names. */
const CANDIDATES_MAX = 500;

/** The candidate nearest to `name`, when it is near enough to be a slip of typing. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = slipsMax(name.length) + 1;
  let looked = 0;
  for (const candidate of candidates) {
    if (++looked > CANDIDATES_MAX) break;
    if (candidate === name || Math.max(candidate.length, name.length) > NAME_LENGTH_MAX) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance && distance <= slipsMax(Math.min(name.length, candidate.length))) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Slips in a name of this length beyond which the two share little more than chance. */
function slipsMax(length: number): number {
  return length <= 1 ? 0 : length <= 4 ? 1 : length <= 7 ? 2 : 3;
}

/** Insertions, deletions, replacements and swaps of neighbours between two words; `limit` when there are as many. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let cost = Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, replace);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      }
      current.push(cost);
    }
    before = previous;
    previous = current;
  }
  return Math.min(previous[b.length] ?? limit, limit);
}
