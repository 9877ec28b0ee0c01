/** Owns the joining of encoded messages to text lines. */

const NEWLINE = 0x0a;

/** The parts in one buffer of their own, each followed by a newline. */
export function joinedLines(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const lines = new Uint8Array(parts.reduce((total, part) => total + part.length + 1, 0));
  let at = 0;
  for (const part of parts) {
    lines.set(part, at);
    at += part.length;
    lines[at++] = NEWLINE;
  }
  return lines;
}
