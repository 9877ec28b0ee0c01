/** Owns a replay: it feeds an engine whose sources are off, and deletes what has committed where that was asked for. */

import { EventboatError } from "../diagnostics/mod.ts";
import type { Engine, Feed, ReplayedMessage } from "../engine/mod.ts";
import type { Plan } from "../plan/mod.ts";
import type { DeadLetter, DeadLetterMark, Durability, Store } from "../store/mod.ts";
import { chooseLetters } from "./letter_choice.ts";
import { compileLetterCondition, compileMessageCondition } from "./letter_condition.ts";
import type { LetterRequest, ReplayReport, ReplayRequest, WindowRequest } from "./replay_request.ts";
import { readWindow, type SpooledMessage } from "./spool_window.ts";
import { Targets } from "./target.ts";

/** Letters read again and brought in at once. */
const LETTERS_AT_ONCE = 500;
/** Letters deleted in one transaction. */
const DELETED_AT_ONCE = 2_000;

/** What a replay works with. */
export interface ReplayParts {
  readonly engine: Pick<Engine, "replay" | "syncSinks">;
  readonly store: Pick<Store, "readDeadLetters" | "discardDeadLetters" | "readSegments" | "stats">;
  readonly plan: Plan;
  readonly durability: Durability;
}

/** A letter that was chosen: what it holds is read again when its turn comes. */
type ChosenLetter = DeadLetterMark;

/** One replay. It is the feed of its engine. */
export class Replay implements Feed {
  readonly #parts: ReplayParts;
  readonly #request: ReplayRequest;
  /** Letters whose replay has committed, not deleted yet. */
  #committed: DeadLetterMark[] = [];
  #deleting: Promise<void> | undefined;
  #deleteError: EventboatError | undefined;
  #replayed = 0;
  #deleted = 0;
  #more = false;
  #unjudged = 0;

  constructor(parts: ReplayParts, request: ReplayRequest) {
    this.#parts = parts;
    this.#request = request;
  }

  /** What was done so far. */
  report(): ReplayReport {
    return { replayed: this.#replayed, deleted: this.#deleted, more: this.#more, unjudged: this.#unjudged };
  }

  /** Why letters that have committed are still there; undefined where none is. */
  get deleteError(): EventboatError | undefined {
    return this.#deleteError;
  }

  /** @throws {EventboatError} `usage` for what cannot be asked of this pipeline, else what the store or engine throws. */
  async run(signal: AbortSignal): Promise<void> {
    const { what } = this.#request;
    if (what.kind === "letters") await this.#runLetters(what, signal);
    else await this.#runWindow(what, signal);
  }

  /** Deletes what has committed. */
  async flush(): Promise<void> {
    while (this.#deleting !== undefined) await this.#deleting;
  }

  async #runLetters(what: LetterRequest, signal: AbortSignal): Promise<void> {
    const { engine, store, plan } = this.#parts;
    const { at } = this.#request;
    const chosen = await this.#choose(what, signal);
    for (let from = 0; from < chosen.length && !signal.aborted; from += LETTERS_AT_ONCE) {
      const seqs = new Map(chosen.slice(from, from + LETTERS_AT_ONCE).map(({ id, seq }) => [id, seq]));
      const again = { ids: [...seqs.keys()], content: true, codecs: plan.codecs };
      for await (const page of chooseLetters(store, again)) {
        // What has failed again since it was chosen, as a message that an earlier replay left behind, had its turn.
        const letters = page.filter(({ id, seq }) => seqs.get(id) === seq);
        for (const { node, run } of runsOf(letters, (letter) => at ?? letter.node)) {
          if (signal.aborted) return;
          const marks = run.map(({ id, seq }) => ({ id, seq }));
          const messages = run.map((letter) => replayOf(letter, node));
          await engine.replay(node, messages, (done) => {
            // They are told in order.
            const committed = marks.splice(0, done.length);
            if (what.delete) this.#delete(committed);
          });
          this.#replayed += run.length;
        }
      }
    }
  }

  /** Chooses the letters and judges where they go, before any is brought in. */
  async #choose(what: LetterRequest, signal: AbortSignal): Promise<readonly ChosenLetter[]> {
    const { store, plan } = this.#parts;
    const { where, sinceMs, at, limit } = this.#request;
    const condition = where === undefined ? undefined : compileLetterCondition(where);
    const targets = new Targets(plan, at);
    const chosen: ChosenLetter[] = [];
    const choice = {
      content: false,
      codecs: plan.codecs,
      ...(what.ids === undefined ? {} : { ids: what.ids }),
      ...(what.runId === undefined ? {} : { runId: what.runId }),
      ...(sinceMs === undefined ? {} : { sinceMs }),
      ...(condition === undefined ? {} : { condition }),
    };
    choosing: for await (const page of chooseLetters(store, choice)) {
      for (const { id, seq, node } of page) {
        if (chosen.length >= limit) {
          this.#more = true;
          break choosing;
        }
        targets.of(node);
        chosen.push({ id, seq });
      }
      if (signal.aborted) break;
    }
    this.#unjudged = condition?.unjudged ?? 0;
    targets.refuseMissing();
    return chosen;
  }

  async #runWindow(window: WindowRequest, signal: AbortSignal): Promise<void> {
    const { engine, store, plan } = this.#parts;
    const { where, sinceMs, at, limit } = this.#request;
    const condition = where === undefined ? undefined : compileMessageCondition(where);
    const targets = new Targets(plan, at);
    const choice = {
      window,
      codecs: plan.codecs,
      ...(sinceMs === undefined ? {} : { sinceMs }),
      ...(condition === undefined ? {} : { condition }),
    };
    for await (const page of readWindow(store, choice)) {
      const left = limit - this.#replayed;
      this.#more = page.length > left;
      this.#unjudged = condition?.unjudged ?? 0;
      for (const { node, run } of runsOf(page.slice(0, left), (message) => targets.of(message.node) ?? "")) {
        if (signal.aborted) return;
        targets.refuseMissing();
        await engine.replay(node, run.map(replayOfSpooled), () => {});
        this.#replayed += run.length;
      }
      if (this.#more || signal.aborted) return;
    }
  }

  /** Deletes letters, one transaction at a time: what commits meanwhile goes with the next. */
  #delete(committed: readonly DeadLetterMark[]): void {
    this.#committed.push(...committed);
    this.#deleting ??= this.#deleteAll().finally(() => {
      this.#deleting = undefined;
    });
  }

  async #deleteAll(): Promise<void> {
    const { engine, store, durability } = this.#parts;
    while (this.#committed.length > 0 && this.#deleteError === undefined) {
      const marks = this.#committed.splice(0, DELETED_AT_ONCE);
      try {
        // With `power` every write was synced before it was answered; here a letter must not be gone before that.
        if (durability === "process") await engine.syncSinks();
        this.#deleted += await store.discardDeadLetters(marks);
      } catch (caught) {
        this.#deleteError = EventboatError.from(caught, "store_write");
      }
    }
  }
}

/** A letter as it enters a node. Its edge is the one it had come over only where it fails again in the same place. */
function replayOf({ id, node, edge, bytes, codec, meta, source }: DeadLetter, target: string): ReplayedMessage {
  return { bytes, codec, meta, source, letter: id, ...(target === node && edge !== "" ? { edge } : {}) };
}

function replayOfSpooled({ bytes, codec, meta, source }: SpooledMessage): ReplayedMessage {
  return { bytes, codec, meta, source };
}

/** Cuts items into runs that enter one node, in their order. */
function* runsOf<T>(items: readonly T[], nodeOf: (item: T) => string): Generator<{ node: string; run: readonly T[] }> {
  for (let from = 0; from < items.length;) {
    const node = nodeOf(items[from]!); // from is within items.
    let to = from + 1;
    while (to < items.length && nodeOf(items[to]!) === node) to++; // to is within items.
    yield { node, run: items.slice(from, to) };
    from = to;
  }
}
