/** Owns the check of CEL against its public conformance suite. */

import assert from "node:assert/strict";
import { EventboatError } from "../../src/diagnostics/mod.ts";
import { type CelKind, type CelTagged, compileCel, evaluateCelTagged } from "../../src/languages/mod.ts";
import { CEL_FAILURE, CelJudge, libraryValue, parseByLibrary, shownCel } from "../suites/cel_judge.ts";
import { conformanceSuite, judgeCases } from "./shared_data.ts";

/** A value as the data writes it: integers as text, bytes as base64, lists and maps nested. */
interface Tagged {
  readonly t: string;
  readonly v?: unknown;
  readonly b64?: string;
}

interface Row {
  readonly id: string;
  readonly expr: string;
  readonly ext?: string;
  readonly bindings?: { readonly [name: string]: Tagged };
  readonly container?: string;
  readonly value?: Tagged;
  readonly error?: readonly string[];
}

interface ParseRow {
  readonly id: string;
  readonly expr: string;
  readonly syntaxOk: boolean;
}

interface DynamicRow {
  readonly id: string;
  readonly expr: string;
  readonly jsonNumbersAsDouble: { readonly value?: Tagged; readonly error?: string };
}

const RECURSION = "the row's own test sets a limit of 32 levels or fewer; ours is 250, so that long sums are taken";
const QUOTED = "the row's own test switches back-quoted fields off; cases.json asks for them";

const PARSE_EXCEPTIONS: Readonly<Record<string, string>> = {
  "parse row 75": RECURSION,
  "parse row 80": RECURSION,
  "parse row 81": RECURSION,
  "parse row 82": RECURSION,
  "parse row 88": QUOTED,
  "parse row 90": QUOTED,
};

/** Rows where the library, its known faults put right, still gives something else than ours: it is wrong, or refuses. */
const UNKNOWN_VARIABLE = "has() of a field of a variable that does not exist is a failure: the library finds it absent";
const NO_QUOTES = "the library's parser does not know back-quotes";

const LIBRARY_EXCEPTIONS: Readonly<Record<string, string>> = {
  "cel/fields/quoted_map_fields/field_access_dash": NO_QUOTES,
  "cel/fields/quoted_map_fields/has_field_dot": NO_QUOTES,
  "cel/fields/qualified_identifier_resolution/map_value_repeat_key_heterogeneous":
    "one integer may not stand twice as a key, as int and as uint: the row asks for it",
  "parse row 79": UNKNOWN_VARIABLE,
  "parse row 122": UNKNOWN_VARIABLE,
  "parse row 123": UNKNOWN_VARIABLE,
  "parse row 138": UNKNOWN_VARIABLE,
  "parse row 153": UNKNOWN_VARIABLE,
};

/** The data is JSON, whose numbers do not show the sign of a zero. */
const NEGATIVE_ZERO_REGEXP = /double -0(?![.\d])/g;

conformanceSuite("cel", (data) => {
  Deno.test("conformance cel: every row of the suite, extensions apart", async () => {
    const { cases } = data.json<{ readonly cases: readonly Row[] }>("cases.json");
    await judgeCases({
      cases: cases.filter((row) => row.ext === undefined),
      id: (row) => row.id,
      check: (row) =>
        assert.equal(
          outcome(row).replace(NEGATIVE_ZERO_REGEXP, "double 0"),
          row.error === undefined ? rendered(row.value) : CEL_FAILURE,
        ),
      exceptions: {},
    });
  });

  Deno.test("conformance cel: what is CEL is taken, what is not is refused", async () => {
    const { cases } = data.json<{ readonly cases: readonly ParseRow[] }>("parse.json");
    await judgeCases({
      cases: cases.map((row, index) => ({ ...row, id: `parse row ${index}` })),
      id: (row) => row.id,
      check: (row) => {
        const result = evaluateCelTagged(row.expr);
        assert.equal("issues" in result ? "refused" : "taken", row.syntaxOk ? "taken" : "refused");
      },
      exceptions: PARSE_EXCEPTIONS,
    });
  });

  Deno.test("conformance cel: expressions over one awkward JSON document, its numbers doubles", async () => {
    const { payload, cases } = data.json<{ readonly payload: unknown; readonly cases: readonly DynamicRow[] }>(
      "dynjson.json",
    );
    await judgeCases({
      cases,
      id: (row) => row.id,
      check: (row) => {
        const wanted = row.jsonNumbersAsDouble;
        const isFailure = wanted.error !== undefined;
        const bindings = { payload: asTagged(payload) };
        assert.equal(outcome({ expr: row.expr, bindings }), isFailure ? "failure" : rendered(wanted.value));
        assert.deepEqual(plainOutcome(row.expr, payload), isFailure ? "failure" : plain(wanted.value));
      },
      exceptions: {},
    });
  });

  Deno.test("conformance cel: on every handed row the library's own evaluator gives what ours gives", async () => {
    const { cases } = data.json<{ readonly cases: readonly Row[] }>("cases.json");
    const parsed = data.json<{ readonly cases: readonly ParseRow[] }>("parse.json").cases;
    const dynamic = data.json<{ readonly payload: unknown; readonly cases: readonly DynamicRow[] }>("dynjson.json");
    const bindings = { payload: asTagged(dynamic.payload) };
    using judge = new CelJudge();
    await judgeCases<BothRow>({
      cases: [
        ...cases.filter((row) => row.ext === undefined),
        ...parsed.map((row, index) => ({ ...row, id: `parse row ${index}` })).filter((row) => row.syntaxOk),
        ...dynamic.cases.map((row) => ({ id: row.id, expr: row.expr, bindings })),
      ],
      id: (row) => row.id,
      check: (row) => assert.equal(libraryOutcome(judge, row), outcome(row)),
      exceptions: LIBRARY_EXCEPTIONS,
    });
  });
});

type BothRow = Pick<Row, "id" | "expr" | "bindings" | "container">;

/** What the library's own evaluator gives for a row. */
function libraryOutcome(judge: CelJudge, row: BothRow): string {
  const bindings = Object.entries(row.bindings ?? {}).map(([name, value]) => [name, libraryValue(celTagged(value))]);
  return judge.plan(parseByLibrary(row.expr), row.container)(Object.fromEntries(bindings));
}

/** What a row gives by the way that pipelines use, its variables bound by name. */
function outcome(row: Pick<Row, "expr" | "bindings" | "container">): string {
  const bindings = Object.entries(row.bindings ?? {}).map(([name, value]) => [name, celTagged(value)] as const);
  const result = evaluateCelTagged(row.expr, {
    variables: Object.fromEntries(bindings),
    container: row.container ?? "",
  });
  return "value" in result ? shownCel(result.value) : CEL_FAILURE;
}

/** What an expression of a pipeline gives for this payload, as plain data. */
function plainOutcome(source: string, payload: unknown): unknown {
  const compiled = compileCel(source);
  if (!compiled.ok) return "failure";
  try {
    return compiled.program.bind({ constants: {}, parameters: {} })({ payload, meta: {} });
  } catch (caught) {
    assert.ok(caught instanceof EventboatError && caught.code === "expression");
    return "failure";
  }
}

/** An expected value as plain data; the rows that ask for it give no maps and no bytes. */
function plain(value: Tagged | undefined): unknown {
  if (value?.t === "list") return (value.v as readonly Tagged[]).map(plain);
  return value?.t === "int" || value?.t === "double" ? Number(value.v) : value?.v;
}

/** A value as the data writes it, as ours are written. */
function celTagged(value: Tagged): CelTagged {
  const type = value.t === "null" ? "null_type" : value.t as CelKind;
  return { type, value: contents(value) };
}

function contents(value: Tagged): unknown {
  switch (value.t) {
    case "int":
    case "uint":
      return BigInt(String(value.v));
    case "double":
      return Number(value.v);
    case "null":
      return null;
    case "bytes":
      return Uint8Array.fromBase64(value.b64 ?? "");
    case "list":
      return (value.v as readonly Tagged[]).map(celTagged);
    case "map":
      return (value.v as readonly (readonly Tagged[])[]).map((entry) => entry.map(celTagged));
    default:
      return value.v;
  }
}

/** Plain JSON as the data writes values: its numbers are doubles. */
function asTagged(value: unknown): Tagged {
  if (value === null) return { t: "null" };
  if (Array.isArray(value)) return { t: "list", v: value.map(asTagged) };
  if (typeof value === "boolean") return { t: "bool", v: value };
  if (typeof value !== "object") return { t: typeof value === "number" ? "double" : "string", v: value };
  return { t: "map", v: Object.entries(value).map(([key, member]) => [{ t: "string", v: key }, asTagged(member)]) };
}

function rendered(value: Tagged | undefined): string {
  assert.ok(value !== undefined, "the row has neither a value nor an error");
  return shownCel(celTagged(value));
}
