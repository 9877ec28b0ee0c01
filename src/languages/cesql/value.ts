/** Owns CESQL's three types: their values, the casts between them, and what stands where an evaluation has an error. */

import type { CostMeter } from "../cost_meter.ts";

/** A value: text, a whole number of 32 bits, a truth value. */
export type CesqlValue = string | number | boolean;

/** The types, as the language's specification names them. */
export type CesqlType = "String" | "Integer" | "Boolean";

/** The classes of errors that an evaluation may have. */
export type CesqlErrorClass = "cast" | "math" | "missingAttribute" | "missingFunction" | "functionEvaluation";

/** Least and greatest Integer. */
export const INTEGER_MIN = -2_147_483_648;
/** See {@linkcode INTEGER_MIN}. */
export const INTEGER_MAX = 2_147_483_647;

const INTEGER_REGEXP = /^[+-]?[0-9]+$/;
/** Texts up to this length are compared and cast without counting it. */
const FREE_UNITS_MAX = 256;

/**
 * What an operation gives that has an error. Values are primitive, so `typeof` tells a failure from all of them. An
 * operation with a failed operand fails as that one did.
 */
export class CesqlFailure {
  readonly errorClass: CesqlErrorClass;
  /** What is wrong, for a message; it quotes no data. */
  readonly explanation: string;
  /** Offset of the node that failed. */
  readonly at: number;
  /** The value that goes with the error, where it is not the zero value of the type. */
  readonly value: CesqlValue | undefined;

  constructor(errorClass: CesqlErrorClass, explanation: string, at: number, value?: CesqlValue) {
    this.errorClass = errorClass;
    this.explanation = explanation;
    this.at = at;
    this.value = value;
  }
}

/** What an operation gives. */
export type CesqlOutcome = CesqlValue | CesqlFailure;

/** The type of a value. */
export function cesqlTypeOf(value: CesqlValue): CesqlType {
  return typeof value === "string" ? "String" : typeof value === "number" ? "Integer" : "Boolean";
}

/** The value of a type that stands where an error leaves no better one. */
export function cesqlZero(type: CesqlType): CesqlValue {
  return type === "String" ? "" : type === "Integer" ? 0 : false;
}

/** Casts text to an Integer; undefined where it is none. */
export function integerOfText(text: string, meter: CostMeter): number | undefined {
  if (text.length > FREE_UNITS_MAX) meter.spendLength(text.length);
  if (!INTEGER_REGEXP.test(text)) return undefined;
  const value = Number(text);
  // `| 0` because "-0" is 0.
  return value >= INTEGER_MIN && value <= INTEGER_MAX ? value | 0 : undefined;
}

/** Casts text to a Boolean; undefined where it is none. */
export function booleanOfText(text: string): boolean | undefined {
  if (text.length !== 4 && text.length !== 5) return undefined;
  const lower = text.toLowerCase();
  return lower === "true" ? true : lower === "false" ? false : undefined;
}

/** Casts a value; undefined where the cast is not possible. */
export function castCesql(value: CesqlValue, type: CesqlType, meter: CostMeter): CesqlValue | undefined {
  switch (type) {
    case "String":
      return typeof value === "string" ? value : String(value);
    case "Integer":
      return typeof value === "number"
        ? value
        : typeof value === "boolean"
        ? Number(value)
        : integerOfText(value, meter);
    case "Boolean":
      return typeof value === "boolean" ? value : typeof value === "number" ? value !== 0 : booleanOfText(value);
  }
}

/** Why text cannot be cast: the only casts that may fail are those from String. */
export function castExplanation(type: CesqlType): string {
  return type === "Integer" ? "the text is no whole number of 32 bits" : "the text is neither true nor false";
}

/** Whether two values of one type are equal. */
export function equalCesql(left: CesqlValue, right: CesqlValue, meter: CostMeter): boolean {
  if (typeof left === "string" && left.length > FREE_UNITS_MAX && left.length === (right as string).length) {
    meter.spendLength(left.length);
  }
  return left === right;
}
