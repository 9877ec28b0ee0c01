/** Owns the question whether a plugin gave something to wait for. */

/**
 * Whether a value is a promise of whatever make: a plugin may bring a library's own, and one that is taken for the
 * answer itself would be a success that nobody has heard of.
 */
export function isThenable<T>(given: T | PromiseLike<T>): given is PromiseLike<T> {
  return typeof given === "object" && given !== null && "then" in given && typeof given.then === "function";
}
