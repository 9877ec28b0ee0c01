/** Owns the size of a file that may not be there yet. */

/** Its bytes; 0 while there is none. */
export function sizeOf(path: string): number {
  try {
    return Deno.statSync(path).size;
  } catch (caught) {
    if (caught instanceof Deno.errors.NotFound) return 0;
    throw caught;
  }
}
