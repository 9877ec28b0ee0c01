/** Owns numbers of things in words: `1 segment`, `2 segments`. */

/** `count` things of a regular noun. */
export function countedText(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
