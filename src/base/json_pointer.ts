/** Owns JSON pointers (RFC 6901): a path of keys and indexes as one text, and back. */

/** The pointer of a path; the empty pointer is the whole value. */
export function pathPointer(path: readonly (string | number)[]): string {
  return path.map((step) => `/${pointerStep(step)}`).join("");
}

/** One step as it stands in a pointer. */
export function pointerStep(step: string | number): string {
  return String(step).replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The steps of a pointer as texts: whether `0` is a key or an index, only the value it leads through can tell. */
export function pointerSteps(pointer: string): string[] {
  return pointer.split("/").slice(1).map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}
