/** Owns the checking of a store's file. */

import type { DatabaseSync } from "node:sqlite";
import { EventboatError, reasonOf } from "../diagnostics/mod.ts";
import type { StoreFinding } from "./contract.ts";
import { parseMeta } from "./meta_text.ts";
import { lookAtStore } from "./offline_store.ts";
import { segmentLast } from "./stored_segment.ts";
import { walkSegments, type WalkStep } from "./segment_walk.ts";
import { readMeta } from "./sqlite_schema.ts";
import { walkLetters } from "./sqlite_letters.ts";

/** Findings that are listed; more are only counted. */
const FINDINGS_MAX = 100;
/** Complaints that SQLite's own check lists. */
const INTEGRITY_ROWS_MAX = 20;

/** Collects findings up to a limit. */
class Findings {
  readonly #found: StoreFinding[] = [];
  #more = 0;

  error(what: string): void {
    this.#add({ severity: "error", what });
  }

  warning(what: string): void {
    this.#add({ severity: "warning", what });
  }

  list(): readonly StoreFinding[] {
    if (this.#more === 0) return this.#found;
    return [...this.#found, { severity: "error", what: `${this.#more} more findings are not listed` }];
  }

  #add(finding: StoreFinding): void {
    if (this.#found.length < FINDINGS_MAX) this.#found.push(finding);
    else this.#more++;
  }
}

/**
 * Checks everything that can be checked of a store's file: SQLite's structures, every segment's shape and checksum, the
 * order of sequences, the checkpoint, every dead letter. Reads all of the file, one row at a time, and changes nothing.
 * A file that cannot be read at all is a finding; throws `store_open` when there is none, `store_version` when it is a
 * newer program's, `permission` when it may not be read.
 */
export function checkStore(path: string): readonly StoreFinding[] {
  const findings = new Findings();
  try {
    lookAtStore(path, (db) => {
      attempt(findings, "SQLite's own check", () => checkStructure(db, findings));
      attempt(findings, "the segments", () => checkSegments(db, findings));
      attempt(findings, "the dead letters", () => checkLetters(db, findings));
      attempt(findings, "the source states", () => void db.prepare("SELECT source, state FROM source_state").all());
    });
  } catch (caught) {
    if (!(caught instanceof EventboatError) || caught.code !== "store_corrupt") throw caught;
    findings.error(caught.message);
  }
  return findings.list();
}

function attempt(findings: Findings, what: string, check: () => void): void {
  try {
    check();
  } catch (caught) {
    findings.error(`${what} could not be read to the end: ${reasonOf(caught)}`);
  }
}

function checkStructure(db: DatabaseSync, findings: Findings): void {
  for (const row of db.prepare(`PRAGMA integrity_check(${INTEGRITY_ROWS_MAX})`).all()) {
    const complaint = String(row["integrity_check"]);
    if (complaint !== "ok") findings.error(`SQLite: ${complaint}`);
  }
}

function checkSegments(db: DatabaseSync, findings: Findings): void {
  const checkpoint = readMeta(db, "checkpoint");
  const lastVoid = readMeta(db, "last_void");
  let previousEnd = 0;
  let broken: Extract<WalkStep, { kind: "broken" }> | undefined;
  let reachedFromEnd = Infinity;
  for (const step of walkSegments(db)) {
    if (step.kind === "broken") {
      broken = step;
      continue;
    }
    const { first, end } = span(step);
    if (step.kind === "damaged") {
      findings.error(`the segment from sequence ${first} to ${end} is damaged: ${step.fault}`);
    }
    reachedFromEnd = first;
    // After a break the walk comes from the end, and neighbours say nothing any more.
    if (broken !== undefined) continue;
    const accounted = Math.max(previousEnd, checkpoint, lastVoid);
    if (first <= previousEnd) {
      findings.error(`the segment from sequence ${first} to ${end} overlaps one that ends at ${previousEnd}`);
    } else if (first - 1 > accounted) {
      findings.error(
        `the sequences ${accounted + 1} to ${first - 1} are missing: neither stored nor committed nor void`,
      );
    }
    previousEnd = Math.max(previousEnd, end);
  }
  if (broken === undefined) return;
  const until = reachedFromEnd > broken.after && reachedFromEnd < Infinity ? ` to ${reachedFromEnd - 1}` : " on";
  findings.error(`segments from sequence ${broken.after + 1}${until} are out of reach: ${broken.fault}`);
}

function span(step: Exclude<WalkStep, { kind: "broken" }>): { first: number; end: number } {
  if (step.kind === "segment") return { first: step.segment.first, end: segmentLast(step.segment) };
  return { first: step.first, end: step.first + Math.max(step.count, 1) - 1 };
}

function checkLetters(db: DatabaseSync, findings: Findings): void {
  for (const letter of walkLetters(db)) {
    try {
      parseMeta(letter.meta);
    } catch {
      findings.error(`dead letter ${letter.id} has metadata that cannot be read`);
    }
  }
}
