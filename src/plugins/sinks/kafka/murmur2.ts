/** Owns the hash that Kafka's own clients choose a key's partition by: MurmurHash2 with their seed. */

const SEED = 0x9747b28c;
const MULTIPLIER = 0x5bd1e995;
const POSITIVE_MASK = 0x7fffffff;

/** The partition of a key: the one that Kafka's Java clients choose. */
export function partitionOfKey(key: Uint8Array, partitions: number): number {
  return (murmur2(key) & POSITIVE_MASK) % partitions;
}

/** The hash, as a signed number of 32 bits. */
export function murmur2(key: Uint8Array): number {
  const whole = key.length & ~3;
  let hash = SEED ^ key.length;
  for (let i = 0; i < whole; i += 4) {
    // All four lie within the key.
    let word = key[i]! | (key[i + 1]! << 8) | (key[i + 2]! << 16) | (key[i + 3]! << 24);
    word = Math.imul(word, MULTIPLIER);
    word = Math.imul(word ^ (word >>> 24), MULTIPLIER);
    hash = Math.imul(hash, MULTIPLIER) ^ word;
  }
  const rest = key.length - whole;
  if (rest > 2) hash ^= (key[whole + 2] ?? 0) << 16;
  if (rest > 1) hash ^= (key[whole + 1] ?? 0) << 8;
  if (rest > 0) hash = Math.imul(hash ^ (key[whole] ?? 0), MULTIPLIER);
  hash = Math.imul(hash ^ (hash >>> 13), MULTIPLIER);
  return hash ^ (hash >>> 15);
}
