/** Owns the text of floats. */

/** Digits behind the point that the fixed forms of `%` have. */
const FIXED_DIGITS = 6;
/** Exponents outside of which the short form is written with one. */
const PLAIN_EXPONENT_MIN = -4;
const PLAIN_EXPONENT_MAX = 5;

/** Text of what is no finite number, or undefined. */
function special(value: number): string | undefined {
  if (Number.isNaN(value)) return "nan";
  if (value === Infinity) return "+inf";
  return value === -Infinity ? "-inf" : undefined;
}

/** The shortest text that reads as the same float, always with a point or an exponent: the form of `str`. */
export function floatText(value: number): string {
  const known = special(value);
  if (known !== undefined) return known;
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const [mantissa = "0", exponentText = "0"] = Math.abs(value).toExponential().split("e");
  const exponent = Number(exponentText);
  if (exponent < PLAIN_EXPONENT_MIN || exponent > PLAIN_EXPONENT_MAX) return sign + mantissa + exponentPart(exponent);
  const plain = plainDigits(mantissa, exponent);
  return sign + (plain.includes(".") ? plain : `${plain}.0`);
}

function exponentPart(exponent: number): string {
  const digits = String(Math.abs(exponent)).padStart(2, "0");
  return `e${exponent < 0 ? "-" : "+"}${digits}`;
}

function plainDigits(mantissa: string, exponent: number): string {
  const digits = mantissa.replace(".", "");
  if (exponent < 0) return `0.${"0".repeat(-exponent - 1)}${digits}`;
  if (digits.length <= exponent + 1) return digits.padEnd(exponent + 1, "0");
  return `${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}

/** The forms of the `%` operator: e, f, g and their capitals. */
export function formatFloat(value: number, form: string): string {
  const known = special(value);
  if (known !== undefined) return known;
  const text = lowerForm(value, form.toLowerCase());
  return form === form.toLowerCase() ? text : text.toUpperCase();
}

function lowerForm(value: number, form: string): string {
  if (form === "g") return floatText(value);
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  if (form === "f") return sign + fixedText(Math.abs(value));
  const [mantissa = "0", exponent = "0"] = Math.abs(value).toExponential(FIXED_DIGITS).split("e");
  return sign + mantissa + exponentPart(Number(exponent));
}

/** `toFixed` changes to an exponent at 10^21; floats so large are whole. */
function fixedText(value: number): string {
  if (value < 1e21) return value.toFixed(FIXED_DIGITS);
  return `${BigInt(value)}.${"0".repeat(FIXED_DIGITS)}`;
}
