/** Owns the text of logical types that bytes stand for: decimals and UUIDs. */

import type { DecimalRule } from "./avro_type.ts";

const DECIMAL_REGEXP = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;
const UUID_REGEXP = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** Where a UUID's text has its hyphens, in bytes. */
const UUID_HYPHENS: ReadonlySet<number> = new Set([4, 6, 8, 10]);

/** The decimal that bytes stand for: two's complement, the highest byte first, as many digits behind the point. */
export function decimalText(bytes: Uint8Array, { scale }: DecimalRule): string {
  if (bytes.length === 0) return decimalOf(0n, scale);
  const unsigned = BigInt(`0x${bytes.toHex()}`);
  return decimalOf(BigInt.asIntN(bytes.length * 8, unsigned), scale);
}

function decimalOf(unscaled: bigint, scale: number): string {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, "0");
  const sign = unscaled < 0n ? "-" : "";
  if (scale === 0) return sign + digits;
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/**
 * The unscaled number of a decimal's text; undefined where it is none, has more digits than it may, or would lose
 * some.
 */
export function unscaledOf(text: string, { precision, scale }: DecimalRule): bigint | undefined {
  const [, sign, whole = "", fraction = "", exponent = "0"] = DECIMAL_REGEXP.exec(text) ?? [];
  if (sign === undefined || whole + fraction === "") return undefined;
  const zeros = scale - fraction.length + Number(exponent);
  // More zeros than digits are allowed cannot fit, unless there is nothing but zeros.
  const digits = (whole + fraction).replace(/^0+/, "");
  if (digits === "") return 0n;
  if (digits.length + zeros > precision) return undefined;
  const kept = zeros >= 0 ? digits + "0".repeat(zeros) : withoutZeros(digits, -zeros);
  if (kept === undefined) return undefined;
  return sign === "-" ? -BigInt(kept) : BigInt(kept);
}

function withoutZeros(digits: string, count: number): string | undefined {
  const cut = digits.length - count;
  return cut > 0 && /^0*$/.test(digits.slice(cut)) ? digits.slice(0, cut) : undefined;
}

/** Two's complement, the highest byte first, in as few bytes as can hold it, or in exactly `size`. */
export function unscaledBytes(unscaled: bigint, size?: number): Uint8Array<ArrayBuffer> {
  let length = size ?? 1;
  if (size === undefined) { while (BigInt.asIntN(length * 8, unscaled) !== unscaled) length++; }
  const unsigned = BigInt.asUintN(length * 8, unscaled);
  return Uint8Array.fromHex(unsigned.toString(16).padStart(length * 2, "0"));
}

/** The text of a UUID. */
export function uuidText(bytes: Uint8Array): string {
  let text = "";
  for (const [i, byte] of bytes.entries()) {
    if (UUID_HYPHENS.has(i)) text += "-";
    text += byte.toString(16).padStart(2, "0");
  }
  return text;
}

/** The bytes of a UUID's text; undefined where it is none. */
export function uuidBytes(text: string): Uint8Array<ArrayBuffer> | undefined {
  return UUID_REGEXP.test(text) ? Uint8Array.fromHex(text.replaceAll("-", "")) : undefined;
}
