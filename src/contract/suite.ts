/** Owns a suite as it was read: typed, with the place of everything in it. */

import type { Data } from "../base/mod.ts";
import { type DocumentPath, keySpanAt, spanAt, type SpanTable } from "../config/mod.ts";
import type { Span } from "../diagnostics/mod.ts";
import type {
  CaptureText,
  CaseText,
  DeadLettersText,
  ExpectationText,
  InjectionText,
  SuiteText,
} from "./suite_schema.ts";

/** Something of a suite with the path it stands at. */
export interface Placed<Value> {
  readonly value: Value;
  readonly path: DocumentPath;
}

/** One case. */
export interface SuiteCase {
  readonly name: string;
  readonly path: DocumentPath;
  readonly constants: { readonly [name: string]: Data };
  readonly parameters: { readonly [name: string]: Data };
  readonly injections: readonly Placed<InjectionText>[];
  readonly captures: readonly Placed<CaptureText>[];
  /** Undefined: the case says nothing about dead letters, and expects none. */
  readonly deadLetters: readonly Placed<DeadLettersText>[] | undefined;
  readonly expect: Placed<ExpectationText>;
}

/** A suite, read. */
export class Suite {
  readonly file: string;
  readonly text: SuiteText;
  readonly cases: readonly SuiteCase[];
  readonly #spans: SpanTable;

  constructor(file: string, text: SuiteText, spans: SpanTable) {
    this.file = file;
    this.text = text;
    this.cases = text.cases.map((one, index) => suiteCase(one, ["cases", index]));
    this.#spans = spans;
  }

  /** Where the value at a path stands; with `offset`, that character of a text. */
  span(path: DocumentPath, offset?: number): Span {
    return spanAt(this.#spans, path, offset) ?? { file: this.file, line: 1, column: 1 };
  }

  /** Where the key of the value at a path stands. */
  keySpan(path: DocumentPath): Span {
    return keySpanAt(this.#spans, path) ?? this.span(path);
  }
}

function suiteCase(one: CaseText, path: DocumentPath): SuiteCase {
  const { name, constants = {}, parameters = {}, inject, expect } = one;
  const at = [...path, "expect"];
  return {
    name,
    path,
    constants,
    parameters,
    injections: placed(inject, [...path, "inject"]),
    captures: expect.capture === undefined ? [] : placed(expect.capture, [...at, "capture"]),
    deadLetters: expect.dlq === undefined ? undefined : placed(expect.dlq, [...at, "dlq"]),
    expect: { value: expect, path: at },
  };
}

/** What may be written once or as a list, as a list. */
function placed<Value extends object>(value: Value | readonly Value[], path: DocumentPath): readonly Placed<Value>[] {
  if (!isList(value)) return [{ value, path }];
  return value.map((one, index) => ({ value: one, path: [...path, index] }));
}

/** `Array.isArray` does not know lists that are read-only. */
function isList<Value extends object>(value: Value | readonly Value[]): value is readonly Value[] {
  return Array.isArray(value);
}
