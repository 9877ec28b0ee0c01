/** Owns the wording of dead letters and of replays. */

import { exactJson } from "../base/mod.ts";
import type {
  ContentView,
  DlqCountAnswer,
  DlqListAnswer,
  EndedReplay,
  ExpectedEnd,
  LetterHead,
  LetterView,
  ReplayAnswer,
} from "../ops/mod.ts";
import { countedText } from "./counted_text.ts";
import { wrapped } from "./line_width.ts";
import { endedText } from "./status_text.ts";

/** Characters of a reason that a list shows. */
const REASON_CHARACTERS_MAX = 120;
/** Columns of an id in a list. */
const ID_COLUMNS = 6;
/** Ids that a note names. */
const IDS_SHOWN_MAX = 10;
const SPACE_REGEXP = /\s+/g;

/** One letter of a list: a line, or several within `columns`. */
export function headText(
  { id, time, node, class: letterClass, attempts, reason }: LetterHead,
  columns?: number,
): string {
  const line = reason.replaceAll(SPACE_REGEXP, " ");
  const shown = line.length > REASON_CHARACTERS_MAX
    ? `${line.slice(0, REASON_CHARACTERS_MAX)}...`.toWellFormed()
    : line;
  const whole = `${String(id).padStart(ID_COLUMNS)}  ${time}  ${node}  ${letterClass}  attempts ${attempts}  ${shown}`;
  return `${wrapped(whole, columns, ID_COLUMNS + 2)}\n`;
}

/** A whole letter. */
export function letterText(letter: LetterView): string {
  const rows: [string, string | number | undefined][] = [
    ["id", letter.id],
    ["time", letter.time],
    ["node", letter.node],
    ["edge", letter.edge || undefined],
    ["class", letter.class],
    ["attempts", letter.attempts],
    ["message id", letter.message_id],
    ["sequence", letter.seq],
    ["branch", letter.branch || undefined],
    ["source", letter.source],
    ["run", letter.run_id],
    ["codec", letter.codec],
  ];
  const given = rows.filter(([, value]) => value !== undefined);
  const width = Math.max(...given.map(([name]) => name.length));
  const { original } = letter;
  return [
    ...given.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`),
    section("reason", letter.reason),
    ...(letter.backtrace === undefined ? [] : [section("backtrace", letter.backtrace)]),
    section("meta", exactJson(letter.meta, 2)),
    contentText("payload", letter),
    ...(original === undefined ? [] : [contentText("original", original)]),
  ].join("");
}

function contentText(title: string, { payload, text, base64 }: ContentView): string {
  if (payload !== undefined) return section(title, exactJson(payload, 2));
  return text === undefined ? section(`${title} (base64)`, base64 ?? "") : section(`${title} (not decoded)`, text);
}

function section(title: string, text: string): string {
  return `\n${title}:\n${text.split("\n").map((line) => `  ${line}\n`).join("")}`;
}

/** How many there are, and where. */
export function countText({ total, counts }: DlqCountAnswer): string {
  const width = String(counts[0]?.count ?? 0).length;
  const lines = counts.map(({ node, class: letterClass, count }) =>
    `${String(count).padStart(width)}  ${node}  ${letterClass}\n`
  );
  return `${lines.join("")}${countedText(total, "dead letter")}\n`;
}

/** What stands behind a list, on stderr: that it is empty, and the notes. */
export function listEndText(list: Noted & { readonly count: number }): string {
  return `${list.count === 0 ? "no dead letters\n" : ""}${notesText(list)}`;
}

/** What notes are taken from: parts of several answers. */
type Noted = Pick<DlqListAnswer, "more" | "unjudged" | "missing">;

/** Notes on what was chosen: what is not there, that there is more, that some could not be judged. */
export function notesText({ more, unjudged, missing = {} }: Noted): string {
  const notes = [
    ...(missing.ids === undefined ? [] : [`no dead letter has ${idsText(missing.ids)}`]),
    ...(missing.run === undefined ? [] : [`no dead letter is of run ${missing.run}`]),
    ...(more ? ["there are more: --limit lets more through"] : []),
    ...(unjudged > 0 ? [`${unjudged} for which --where could not be evaluated were left out`] : []),
  ];
  return notes.map((note) => `note: ${note}\n`).join("");
}

function idsText(ids: readonly number[]): string {
  const shown = ids.slice(0, IDS_SHOWN_MAX).join(", ");
  const rest = ids.length - IDS_SHOWN_MAX;
  return `${ids.length === 1 ? "the id" : "one of the ids"} ${shown}${rest > 0 ? ` and ${rest} more` : ""}`;
}

/** What a replay did. */
export function replayText(ended: EndedReplay): string {
  const { replayed, deleted } = ended.replay;
  return `${endedText(ended)}\nreplayed ${replayed}, letters deleted ${deleted}\n`;
}

/** What a replay would do. */
export function previewText({ messages }: ReplayAnswer & { readonly kind: "preview" }): string {
  const lines = messages.map(({ id, seq, node, node_kind: kind, class: letterClass, reason, expected }) => {
    const what = id === undefined ? `sequence ${seq}` : `letter ${id}`;
    const was = letterClass === undefined ? "" : `  was: ${letterClass}: ${oneLine(reason ?? "")}\n`;
    const how = kind === "source" ? "comes out of" : "enters";
    return `${what} ${how} ${node}: ${expected === undefined ? "" : expectedText(expected)}\n${was}`;
  });
  return `${lines.join("")}${messages.length} would be replayed\n`;
}

function expectedText({ sinks, filtered, failures, not_executed: notExecuted }: ExpectedEnd): string {
  const parts = [
    ...(sinks.length === 0 ? [] : [`given to ${[...new Set(sinks)].join(", ")}`]),
    ...(filtered === 0 ? [] : ["filtered"]),
    ...failures.map(({ node, class: failureClass, reason }) => `fails in ${node}: ${failureClass}: ${oneLine(reason)}`),
    ...(notExecuted.length === 0 ? [] : [`not told behind ${[...new Set(notExecuted)].join(", ")}, not executed here`]),
  ];
  return parts.join("; ");
}

function oneLine(text: string): string {
  return text.replaceAll(SPACE_REGEXP, " ");
}
