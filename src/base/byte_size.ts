/** Owns sizes in bytes as text: `512`, `64KiB`, `1MB`. */

const UNIT_BYTES: Readonly<Record<string, number>> = {
  "": 1,
  b: 1,
  kb: 1_000,
  mb: 1_000_000,
  gb: 1_000_000_000,
  kib: 1_024,
  mib: 1_048_576,
  gib: 1_073_741_824,
};

const BYTE_SIZE_REGEXP = /^(\d+) ?([a-z]*)$/i;
const BINARY_UNITS = ["GiB", "MiB", "KiB"] as const;

/**
 * Bytes of a size's text: a whole number with a decimal unit (`kB`, `MB`, `GB`), a binary one (`KiB`, `MiB`, `GiB`) or
 * none, in any case. Undefined where the text is no size.
 */
export function parseByteSize(text: string): number | undefined {
  const [, count, unit] = BYTE_SIZE_REGEXP.exec(text) ?? [];
  const unitBytes = UNIT_BYTES[(unit ?? "").toLowerCase()];
  if (count === undefined || unitBytes === undefined) return undefined;
  const bytes = Number(count) * unitBytes;
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** A size for people: in the largest binary unit it fills, with one decimal where it is not whole. */
export function formatByteSize(bytes: number): string {
  for (const unit of BINARY_UNITS) {
    const unitBytes = UNIT_BYTES[unit.toLowerCase()] ?? 1;
    if (bytes >= unitBytes) return `${Math.round(bytes / unitBytes * 10) / 10} ${unit}`;
  }
  return `${bytes} B`;
}
