/** Owns the verbs `store stats`, `store check` and `store salvage`. */

import { formatByteSize } from "../base/mod.ts";
import { OPERATIONS, type StoreCheckAnswer, type StoreSalvageAnswer, type StoreStatsAnswer } from "../ops/mod.ts";
import { countedText } from "./counted_text.ts";
import { EXIT_FAILED, EXIT_OK } from "./exit_code.ts";
import type { Invocation, StoreChoice } from "./invocation.ts";
import type { Session } from "./session.ts";

type Verb<Name extends string> = Invocation & { readonly verb: Name };

/** Prints what a store holds. */
export async function statsVerb(choice: StoreChoice, session: Session): Promise<number> {
  session.answer(await session.perform(OPERATIONS.store_stats, storeInput(choice)), statsText);
  return EXIT_OK;
}

/** Prints whether a store is whole; exit code 1 where it is not. */
export async function checkVerb(choice: StoreChoice, session: Session): Promise<number> {
  const answer = await session.perform(OPERATIONS.store_check, storeInput(choice));
  session.answer(answer, checkText);
  return answer.ok ? EXIT_OK : EXIT_FAILED;
}

/** Prints what was saved of a damaged store; exit code 1 where that is nothing, and what was lost cannot be told. */
export async function salvageVerb(invocation: Verb<"store salvage">, session: Session): Promise<number> {
  const input = { ...storeInput(invocation), to: invocation.to };
  const answer = await session.perform(OPERATIONS.store_salvage, input);
  session.answer(answer, salvageText);
  const saved = answer.segments + answer.deadLetters + answer.sourceStates;
  return saved === 0 && !answer.lossKnown ? EXIT_FAILED : EXIT_OK;
}

function storeInput({ name, config, overlays, dataDir, runtime }: StoreChoice) {
  return { name, config, overlays, data_dir: dataDir, runtime };
}

function statsText(stats: StoreStatsAnswer): string {
  const rows: [string, string | number][] = [
    ["store", stats.store],
    ["schema version", stats.schemaVersion],
    ["file size", formatByteSize(stats.fileBytes)],
    ["checkpoint", stats.checkpoint],
    ["spooled", `${spooledText(stats)}, ${formatByteSize(stats.bytes)}`],
    ["sequences", stats.messages === 0 ? "none" : `${stats.firstSeq} to ${stats.lastSeq}`],
    ["uncommitted", stats.uncommitted],
    ["dead letters", stats.deadLetters],
    ["source states", stats.sourceStates],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`).join("");
}

function spooledText({ messages, segments }: { readonly messages: number; readonly segments: number }): string {
  return `${countedText(messages, "message")} in ${countedText(segments, "segment")}`;
}

function checkText({ ok, store, findings }: StoreCheckAnswer): string {
  const lines = findings.map(({ severity, what }) => `${severity}: ${what}\n`);
  return `${lines.join("")}${store}: ${ok ? "ok" : "damaged"}\n`;
}

function salvageText(report: StoreSalvageAnswer): string {
  const { store, to, uncommitted, deadLetters, sourceStates, checkpoint } = report;
  const lost = report.lost.map(({ from, to: last, why }) => `lost: sequences ${from} to ${last}: ${why}\n`);
  const notes = report.notes.map((note) => `note: ${note}\n`);
  return [
    ...lost,
    ...notes,
    `saved ${spooledText(report)}, ${uncommitted} of them uncommitted, `,
    `${countedText(deadLetters, "dead letter")}, ${
      countedText(sourceStates, "source state")
    }, the checkpoint ${checkpoint}; `,
    `${lossText(report)}\n`,
    `what can be read of ${store} is now in ${to}\n`,
  ].join("");
}

function lossText({ messages, messagesLost, lossKnown }: StoreSalvageAnswer): string {
  if (lossKnown) return `${messagesLost} messages lost`;
  if (messages + messagesLost === 0) return "how much was lost cannot be told";
  return `at least ${messagesLost} messages lost, how many more cannot be told`;
}
