/** Owns the built-in functions: their parameters, what they give and how they fail. */

import type { CostMeter } from "../cost_meter.ts";
import { charactersOf, sliceCharacters, trimWhiteSpace } from "./text.ts";
import {
  castCesql,
  castExplanation,
  CesqlFailure,
  type CesqlOutcome,
  type CesqlType,
  type CesqlValue,
  INTEGER_MAX,
  INTEGER_MIN,
} from "./value.ts";

/** What a function works with beside its arguments. */
export interface CesqlCallTools {
  readonly meter: CostMeter;
  /** Offset of the call. */
  readonly at: number;
}

/** One function; those of several arities stand once for each. */
export interface CesqlFunctionDefinition {
  readonly name: string;
  /** What each argument is cast to; `Any` takes it as it is. */
  readonly parameters: readonly (CesqlType | "Any")[];
  /** What further arguments are cast to, where it takes any number of them. */
  readonly rest?: CesqlType;
  readonly returns: CesqlType;
  /** Arguments have the types of the parameters. */
  readonly call: (values: readonly CesqlValue[], tools: CesqlCallTools) => CesqlOutcome;
}

const DEFINITIONS: readonly CesqlFunctionDefinition[] = [
  cast("INT", "Integer"),
  cast("BOOL", "Boolean"),
  cast("STRING", "String"),
  castable("IS_INT", "Integer"),
  castable("IS_BOOL", "Boolean"),
  { name: "ABS", parameters: ["Integer"], returns: "Integer", call: absolute },
  { name: "LENGTH", parameters: ["String"], returns: "Integer", call: ([text]) => charactersOf(String(text)) },
  { name: "CONCAT", parameters: [], rest: "String", returns: "String", call: (texts) => texts.join("") },
  {
    name: "CONCAT_WS",
    parameters: ["String"],
    rest: "String",
    returns: "String",
    call: ([delimiter, ...texts], { meter }) => {
      meter.spendLength(String(delimiter).length * texts.length);
      return texts.join(String(delimiter));
    },
  },
  { name: "LOWER", parameters: ["String"], returns: "String", call: ([text]) => String(text).toLowerCase() },
  { name: "UPPER", parameters: ["String"], returns: "String", call: ([text]) => String(text).toUpperCase() },
  { name: "TRIM", parameters: ["String"], returns: "String", call: ([text]) => trimWhiteSpace(String(text)) },
  { name: "LEFT", parameters: ["String", "Integer"], returns: "String", call: left },
  { name: "RIGHT", parameters: ["String", "Integer"], returns: "String", call: right },
  { name: "SUBSTRING", parameters: ["String", "Integer"], returns: "String", call: substring },
  { name: "SUBSTRING", parameters: ["String", "Integer", "Integer"], returns: "String", call: substring },
];

/** Names of all functions, in upper case. */
export const CESQL_FUNCTION_NAMES: ReadonlySet<string> = new Set(DEFINITIONS.map(({ name }) => name));

/** The function of a name, in any case, that takes so many arguments. */
export function findCesqlFunction(name: string, count: number): CesqlFunctionDefinition | undefined {
  const upper = name.toUpperCase();
  return DEFINITIONS.find(({ name: known, parameters, rest }) =>
    known === upper && (count === parameters.length || (rest !== undefined && count > parameters.length))
  );
}

/** How many arguments a function takes, in words. */
export function cesqlArityText(name: string): string {
  const upper = name.toUpperCase();
  const counts = DEFINITIONS.filter((definition) => definition.name === upper).map(({ parameters, rest }) =>
    rest === undefined ? String(parameters.length) : `${parameters.length} or more`
  );
  return counts.join(" or ");
}

function cast(name: string, type: CesqlType): CesqlFunctionDefinition {
  return {
    name,
    parameters: ["Any"],
    returns: type,
    // The one parameter is always there.
    call: ([value = ""], { meter, at }) =>
      castCesql(value, type, meter) ?? new CesqlFailure("cast", castExplanation(type), at),
  };
}

function castable(name: string, type: CesqlType): CesqlFunctionDefinition {
  return {
    name,
    parameters: ["Any"],
    returns: "Boolean",
    call: ([value = ""], { meter }) => castCesql(value, type, meter) !== undefined,
  };
}

function absolute([value]: readonly CesqlValue[], { at }: CesqlCallTools): CesqlOutcome {
  const number = Number(value);
  if (number !== INTEGER_MIN) return Math.abs(number);
  return new CesqlFailure(
    "math",
    `the absolute value of ${INTEGER_MIN} is no whole number of 32 bits`,
    at,
    INTEGER_MAX,
  );
}

function left([value, count]: readonly CesqlValue[], { at }: CesqlCallTools): CesqlOutcome {
  const text = String(value);
  if (Number(count) >= 0) return sliceCharacters(text, 0, Number(count));
  return new CesqlFailure("functionEvaluation", "LEFT cannot take a negative number of characters", at, text);
}

function right([value, count]: readonly CesqlValue[], { at }: CesqlCallTools): CesqlOutcome {
  const text = String(value);
  if (Number(count) < 0) {
    return new CesqlFailure("functionEvaluation", "RIGHT cannot take a negative number of characters", at, text);
  }
  const characters = charactersOf(text);
  return sliceCharacters(text, Math.max(0, characters - Number(count)), characters);
}

/** Positions count from 1, from the end where they are negative; at 0 there is nothing. */
function substring([value, position, count]: readonly CesqlValue[], { at }: CesqlCallTools): CesqlOutcome {
  const text = String(value);
  const characters = charactersOf(text);
  const from = Number(position);
  if (Math.abs(from) > characters) {
    return new CesqlFailure("functionEvaluation", "the position of SUBSTRING is outside the text", at);
  }
  const length = count === undefined ? characters : Number(count);
  if (length < 0) {
    return new CesqlFailure("functionEvaluation", "SUBSTRING cannot take a negative number of characters", at);
  }
  if (from === 0) return "";
  const start = from > 0 ? from - 1 : characters + from;
  return sliceCharacters(text, start, Math.min(characters, start + length));
}
