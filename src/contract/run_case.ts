/** Owns one run of a case: the real engine over a store in memory, fed by injections, until all has ended. */

import { type Clock, deadline, LinkedController, slept } from "../base/mod.ts";
import { Engine, type EngineOptions, type Outcome } from "../engine/mod.ts";
import type { Plan } from "../plan/mod.ts";
import { type DeadLetter, openMemoryStore, type Store } from "../store/mod.ts";
import { CapturedSinks } from "./captured_sinks.ts";
import { CaseClock } from "./case_clock.ts";
import { CaseLog, type CaseLogLine } from "./case_log.ts";
import { type CallCount, casePlan } from "./case_plan.ts";
import { countedRandom } from "./counted_random.ts";
import type { Injection } from "./injection.ts";

/** A case, ready to run. */
export interface RunnableCase {
  readonly plan: Plan;
  readonly injections: readonly Injection[];
  readonly parameters: EngineOptions["parameters"];
}

/** How cases are run. */
export interface RunCaseOptions {
  /** Real time, for the limit of a case and for what it took. */
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Real time a case may take. Default {@linkcode CASE_MS_MAX}. */
  readonly caseMsMax?: number;
}

/** What came of a case. */
export interface CaseRecord {
  readonly captured: CapturedSinks;
  readonly deadLetters: readonly DeadLetter[];
  readonly outcome: Outcome;
  /** What the engine warned of. */
  readonly warnings: readonly CaseLogLine[];
  /** What it did not end within, in milliseconds. */
  readonly outlasted?: number;
  readonly ms: number;
}

/** Real time a case may take: far more than one needs, little enough to wait for. */
export const CASE_MS_MAX = 10_000;
/** Real time between two looks whether a case waits for its clock. */
const LOOK_EVERY_MS = 2;
/** Dead letters read at once. */
const LETTERS_PER_PAGE = 500;
/** What a job's messages carry of their run. */
const JOB_STAMPS = { job_run_id: "00000000-0000-7000-8000-000000000000", job_trigger: "manual" } as const;

/** Runs a case. Rejects when the caller stops it. */
export async function runCase(one: RunnableCase, options: RunCaseOptions): Promise<CaseRecord> {
  const { clock, signal } = options;
  const startedMs = clock.monotonic();
  const store = await openMemoryStore();
  try {
    const run = new CaseRun(one, store, options);
    const outcome = await run.toEnd();
    signal.throwIfAborted();
    const deadLetters = await readDeadLetters(store);
    return { ...run.record, outcome, deadLetters, ms: clock.monotonic() - startedMs };
  } finally {
    await store.close();
  }
}

/** The letters in the order in which they were written. */
async function readDeadLetters(store: Store): Promise<readonly DeadLetter[]> {
  const letters: DeadLetter[] = [];
  for (;;) {
    const page = await store.readDeadLetters({ afterId: letters.at(-1)?.id ?? 0, limit: LETTERS_PER_PAGE });
    if (page.length === 0) return letters;
    letters.push(...page);
  }
}

/** One run. */
class CaseRun {
  readonly #one: RunnableCase;
  readonly #options: RunCaseOptions;
  readonly #engine: Engine;
  readonly #captured = new CapturedSinks();
  readonly #clock = new CaseClock();
  readonly #log = new CaseLog();
  readonly #calls: CallCount = { underWay: 0 };
  #isInjecting = true;
  #outlasted: number | undefined;

  constructor(one: RunnableCase, store: Store, options: RunCaseOptions) {
    this.#one = one;
    this.#options = options;
    const stage = {
      captured: this.#captured,
      calls: this.#calls,
      realClock: options.clock,
    };
    const stamps = one.plan.mode === "job" ? JOB_STAMPS : {};
    this.#engine = new Engine(casePlan(one.plan, stage), store, {
      clock: this.#clock,
      random: countedRandom(),
      log: this.#log,
      // Every case has an engine of its own: one with less room to lag costs a fraction to make.
      frontierLagFactor: 1,
      parameters: one.parameters,
      stamps,
      runId: one.plan.mode === "job" ? JOB_STAMPS.job_run_id : undefined,
    });
  }

  /** What is known beside the outcome. */
  get record(): Omit<CaseRecord, "outcome" | "deadLetters" | "ms"> {
    return {
      captured: this.#captured,
      warnings: this.#log.lines,
      ...(this.#outlasted === undefined ? {} : { outlasted: this.#outlasted }),
    };
  }

  /** Injects, runs until all has ended, and gives up when its time is over. */
  async toEnd(): Promise<Outcome> {
    const { clock, signal, caseMsMax = CASE_MS_MAX } = this.#options;
    using limit = deadline(caseMsMax, { parent: signal, clock });
    using ended = new LinkedController();
    const feed = { run: () => this.#inject() };
    const running = this.#engine.run(limit.signal, undefined, feed).finally(() => ended.abort());
    const driving = this.#drive(ended.signal, limit.signal);
    const outcome = await running;
    await driving;
    if (limit.expired) this.#outlasted = caseMsMax;
    return outcome;
  }

  /** Stands in for the sources. A refused injection ends the run as failed, and its outcome says why. */
  async #inject(): Promise<void> {
    for (const { at, messages } of this.#one.injections) await this.#engine.inject(at, messages);
    this.#isInjecting = false;
  }

  /**
   * Lets time pass where somebody waits for it and nothing else goes on, so that no backoff and no batch time-out costs
   * any. Once the case is to stop, it passes freely.
   */
  async #drive(ended: AbortSignal, stopped: AbortSignal): Promise<void> {
    let before = "";
    while (await slept(this.#options.clock, LOOK_EVERY_MS, ended)) {
      if (this.#clock.sleeping === 0) continue;
      const { messagesIn, committed, deadLettered, inFlight } = this.#engine.counts();
      const now = [messagesIn, committed, deadLettered, this.#captured.taken].join(" ");
      const isStuck = now === before && this.#calls.underWay === 0 && (this.#isInjecting || inFlight > 0);
      if (isStuck || stopped.aborted) this.#clock.wakeNext();
      before = now;
    }
  }
}
