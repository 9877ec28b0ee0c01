/** Owns the judgement of a case: everything that came of it beside what is expected. */

import type { CaseRecord } from "./run_case.ts";
import { captureBytes, type GoldenFile, isEqual, judgeGolden, outcomeBytes, writeGolden } from "./golden.ts";
import { judgeCapture } from "./judge_capture.ts";
import { judgeDeadLetters } from "./judge_letters.ts";
import type { PreparedCase } from "./prepare_suite.ts";
import type { CaseReport, Difference } from "./report.ts";

/** How cases are judged. */
export interface JudgeCaseOptions {
  /** Write golden files that differ, instead of telling so. */
  readonly updateGolden: boolean;
  /** Told of each golden file that was written. */
  onGolden?(file: string): void;
}

/** Judges what came of a case. @throws {EventboatError} `io` where a golden file cannot be written. */
export async function judgeCase(
  one: PreparedCase,
  record: CaseRecord,
  options: JudgeCaseOptions,
): Promise<CaseReport> {
  const broken = judgeEnd(record);
  const differences = broken.length > 0
    ? broken
    : [...judgeContents(one, record), ...await judgeGoldens(one, record, options)];
  return { name: one.text.name, ok: differences.length === 0, ms: Math.round(record.ms), differences };
}

/** A run that did not come to its end: what else is missing follows from that. */
function judgeEnd({ outcome, outlasted }: CaseRecord): readonly Difference[] {
  const { failure, counts } = outcome;
  const where = "the run";
  if (outlasted !== undefined) {
    const found = `still under way after ${outlasted / 1000} s, with ${counts.inFlight} message(s) in flight`;
    const note = "a transform does not answer; the case was given up";
    return [{ where, expected: "it ends", found, note }];
  }
  if (failure !== undefined) {
    const node = failure.node === undefined ? "" : `node "${failure.node}": `;
    const found = `${node}${failure.message}`;
    return [{ where, expected: "it ends", found, ...(failure.hint === undefined ? {} : { note: failure.hint }) }];
  }
  return [];
}

function judgeContents({ text }: PreparedCase, record: CaseRecord): readonly Difference[] {
  const { captured, deadLetters, outcome } = record;
  const { filtered } = text.expect.value;
  const why = whyNothing(record);
  const found = outcome.counts.filtered;
  return [
    ...text.captures.flatMap(({ value }) => judgeCapture(value, captured.of(value.at).messages, why)),
    ...judgeDeadLetters(text.deadLetters?.map(({ value }) => value), deadLetters),
    ...(filtered === undefined || filtered === found
      ? []
      : [{ where: "filtered messages", expected: `${filtered}`, found: `${found}` }]),
  ];
}

/** Why a sink may have got nothing, where no dead letter tells; undefined where nothing is known. */
function whyNothing({ outcome: { counts }, warnings }: CaseRecord): string | undefined {
  if (counts.conditionErrors > 0) {
    const told = warnings.find(({ fields }) => fields["edge"] !== undefined && fields["error"] !== undefined);
    if (told !== undefined) return `${told.message} (${told.fields["edge"]}: ${told.fields["error"]})`;
  }
  return counts.filtered > 0 ? `${counts.filtered} filtered: no edge took what came out of a node` : undefined;
}

async function judgeGoldens(one: PreparedCase, record: CaseRecord, options: JudgeCaseOptions): Promise<Difference[]> {
  const differences: Difference[] = [];
  for (const [index, { value: { at } }] of one.text.captures.entries()) {
    const found = () => captureBytes(record.captured.of(at));
    differences.push(...await judgeOne(`sink "${at}"`, one.captureGoldens[index], found, options));
  }
  const whole = () => outcomeBytes(one.plan, record);
  differences.push(...await judgeOne("everything that came of it", one.golden, whole, options));
  return differences;
}

async function judgeOne(
  where: string,
  golden: GoldenFile | undefined,
  make: () => Uint8Array,
  { updateGolden, onGolden }: JudgeCaseOptions,
): Promise<readonly Difference[]> {
  if (golden === undefined) return [];
  const found = make();
  if (!updateGolden) return judgeGolden(where, golden, found);
  if (golden.bytes === undefined || !isEqual(golden.bytes, found)) {
    await writeGolden(golden, found);
    onGolden?.(golden.shown);
  }
  return [];
}
