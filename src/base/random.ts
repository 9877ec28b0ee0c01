/** Owns randomness as an argument: what the rest of the program asks instead of the platform. */

/** Source of randomness, passed in so that tests can hold it. */
export interface Random {
  /** Fills the array with random bytes and returns it. */
  bytes(array: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>;
  /** A number in [0, 1). */
  fraction(): number;
}

/** The platform's randomness. */
export const systemRandom: Random = {
  bytes: (array) => crypto.getRandomValues(array),
  fraction: () => Math.random(),
};
