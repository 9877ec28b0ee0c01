/** Owns the comparing of secrets in a time that tells nothing about them. */

/**
 * Whether two texts are equal. The time depends on the length of `given` alone, so it tells how long the caller's own
 * text was and nothing about `secret`.
 */
export function equalsInConstantTime(given: string, secret: string): boolean {
  let difference = given.length ^ secret.length;
  for (let i = 0; i < given.length; i++) {
    // Past its end the secret goes on from its beginning: the work is the same, the lengths differ already.
    difference |= given.charCodeAt(i) ^ (secret.length === 0 ? 0 : secret.charCodeAt(i % secret.length));
  }
  return difference === 0;
}
