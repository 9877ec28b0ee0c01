/**
 * Owns the way to the public conformance data: finding the folder, reading from it, and judging its cases against a
 * list of known exceptions that may only shrink.
 */

import assert from "node:assert/strict";
import { testNeeding } from "../suites/needing.ts";

/** The data stands beside the project, not in it. */
const SHARED_FOLDER = new URL("../../../shared/conformance/", import.meta.url);

/** At most this many failing cases are printed in full. */
const REPORTED_CASES_MAX = 20;

/** One suite's folder of conformance data, read in place. */
export class SharedData {
  readonly #folder: URL;

  constructor(folder: URL) {
    this.#folder = folder;
  }

  /** The bytes of a file, named relative to the suite's folder. */
  bytes(name: string): Uint8Array<ArrayBuffer> {
    return Deno.readFileSync(new URL(name, this.#folder));
  }

  /** A file as UTF-8 text. */
  text(name: string): string {
    return Deno.readTextFileSync(new URL(name, this.#folder));
  }

  /** A file as JSON. The caller states the shape; a wrong one shows as failing cases. */
  json<Shape>(name: string): Shape {
    return JSON.parse(this.text(name)) as Shape;
  }

  /** Names of the files that stand in the suite's folder, sorted. */
  names(): readonly string[] {
    return [...Deno.readDirSync(this.#folder)].filter((entry) => entry.isFile).map((entry) => entry.name).sort();
  }
}

/**
 * Registers the tests of one suite of conformance data (`yaml`, `cel`, `json`, ...). Where the data is absent the suite
 * is skipped and says so on stderr; with `CI=true` its absence is a failing test, so that it cannot go unnoticed.
 */
export function conformanceSuite(suite: string, register: (data: SharedData) => void): void {
  const folder = new URL(`${suite}/`, SHARED_FOLDER);
  if (isDirectory(folder)) {
    register(new SharedData(folder));
    return;
  }
  const missing = `conformance data of ${suite} not found: it is read from ../shared/conformance/${suite}, ` +
    `seen from the project's root`;
  testNeeding(`conformance ${suite}: data is there`, missing, () => {});
}

/** Cases of a suite, and how to judge one. */
export interface JudgedCases<Case> {
  readonly cases: readonly Case[];
  /** Identity of a case, unique in the suite. */
  readonly id: (item: Case) => string;
  /** Throws where the program does not do what the case asks for. */
  readonly check: (item: Case) => void | Promise<void>;
  /** Known exceptions: id of the case to the reason. One that passes, or that no case has, fails the test. */
  readonly exceptions: Readonly<Record<string, string>>;
}

/** Judges every case and fails with all that went wrong at once: new failures, and exceptions that hold no longer. */
export async function judgeCases<Case>(judged: JudgedCases<Case>): Promise<void> {
  assert.ok(judged.cases.length > 0, "the suite has no cases: its file was read wrongly");
  const problems: string[] = [];
  const unseen = new Set(Object.keys(judged.exceptions));
  for (const item of judged.cases) {
    const id = judged.id(item);
    const failure = await failureOf(judged, item);
    const excepted = unseen.delete(id);
    if (failure === undefined && excepted) problems.push(`${id}: passes now, take it off the list of exceptions`);
    if (failure !== undefined && !excepted) problems.push(`${id}: ${failure}`);
  }
  for (const id of unseen) problems.push(`${id}: listed as an exception, but the suite has no such case`);
  const shown = problems.slice(0, REPORTED_CASES_MAX).join("\n");
  assert.equal(problems.length, 0, `${problems.length} of ${judged.cases.length} cases:\n${shown}`);
}

async function failureOf<Case>(judged: JudgedCases<Case>, item: Case): Promise<string | undefined> {
  try {
    await judged.check(item);
    return undefined;
  } catch (caught) {
    return caught instanceof Error ? caught.message : String(caught);
  }
}

function isDirectory(folder: URL): boolean {
  try {
    return Deno.statSync(folder).isDirectory;
  } catch (caught) {
    if (caught instanceof Deno.errors.NotFound) return false;
    throw caught;
  }
}
