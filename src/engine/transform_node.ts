/** Owns a transform's workers: apply, retry, dead-letter, and account for none, one or many outputs. */

import { type BoundedQueue, slept } from "../base/mod.ts";
import type { Message } from "../message/mod.ts";
import type { PlanTransform } from "../plan/mod.ts";
import { type Applied, spreadOutputs, TransformError, untransformable } from "../plugin/mod.ts";
import type { Histogram } from "../telemetry/mod.ts";
import type { Delivery, EngineCore } from "./core.ts";
import type { DeadLetterOffice, Failure } from "./dead_letter_office.ts";
import { batchPolicy, retryWaitMs } from "./policy.ts";
import { type Router, unlessReleased } from "./router.ts";
import type { TransformCaller } from "./transform_calls.ts";

/** Instruments that belong to one plugin, by its name. */
const DURATIONS: { readonly [plugin: string]: string } = {
  script: "script_duration_seconds",
  wasm: "wasm_transform_duration_seconds",
};

/** Most outputs that are handed over at once, and about as many as are made before they are handed over. */
const OUTPUTS_MAX = 1024;

/** One worker of a transform node. */
export class TransformWorker {
  readonly #core: EngineCore;
  readonly #node: PlanTransform;
  readonly #caller: TransformCaller;
  readonly #inbox: BoundedQueue<Delivery>;
  readonly #router: Router;
  readonly #office: DeadLetterOffice;
  readonly #duration: Histogram | undefined;
  /**
   * Messages that are worked on before their outputs are handed over: one at first, then as many as lately gave
   * {@linkcode OUTPUTS_MAX}. A whole delivery of messages that become thousands each would have all of them in memory.
   */
  #stepMessages = 1;

  constructor(
    core: EngineCore,
    node: PlanTransform,
    caller: TransformCaller,
    inbox: BoundedQueue<Delivery>,
    router: Router,
    office: DeadLetterOffice,
  ) {
    this.#core = core;
    this.#node = node;
    this.#caller = caller;
    this.#inbox = inbox;
    this.#router = router;
    this.#office = office;
    const name = DURATIONS[node.plugin];
    this.#duration = name === undefined
      ? undefined
      : core.options.meter.histogram(name, { pipeline: core.plan.name, node: node.name });
  }

  /** Works until the queue is closed and empty, or the engine lets go. */
  async run(): Promise<void> {
    try {
      for (;;) {
        const delivery = this.#inbox.tryTake() ??
          await unlessReleased(this.#inbox.take(), this.#core.released);
        if (delivery === undefined || this.#core.released.aborted) return;
        await this.#handle(delivery);
      }
    } finally {
      this.#caller[Symbol.dispose]();
    }
  }

  async #handle({ edge, messages }: Delivery): Promise<void> {
    const { counters, released } = this.#core;
    counters.entered(this.#node.name, messages.length);
    for (let from = 0; from < messages.length && !released.aborted;) {
      const to = from + this.#stepMessages;
      const some = from === 0 && to >= messages.length ? messages : messages.slice(from, to);
      const outputs = await this.#work({ edge, messages: some });
      this.#learn(some.length, outputs.length);
      for (let at = 0; at < outputs.length && !released.aborted; at += OUTPUTS_MAX) {
        const piece = outputs.length <= OUTPUTS_MAX ? outputs : outputs.slice(at, at + OUTPUTS_MAX);
        await this.#router.leave(this.#node.name, piece);
      }
      from = to;
    }
  }

  /** So many messages gave so many outputs: how many to take next. */
  #learn(messages: number, outputs: number): void {
    const grown = messages === this.#stepMessages ? 2 * messages : this.#stepMessages;
    const bounded = outputs > messages ? Math.floor(OUTPUTS_MAX * messages / outputs) : OUTPUTS_MAX;
    this.#stepMessages = Math.max(1, Math.min(grown, bounded));
  }

  /** Applies, retries, dead-letters; gives what is to be handed over, which is nothing once the engine has let go. */
  async #work({ edge, messages }: Delivery): Promise<readonly Message[]> {
    const { options, released, counters } = this.#core;
    const { clock } = options;
    const policy = batchPolicy([edge], options);
    const applied: Applied[] = new Array(messages.length);
    let failed = await this.#caller.applyAll(messages, applied, policy.timeoutMs);
    this.#duration?.record(this.#caller.workedMs / 1000 / messages.length);
    const attempts = new Uint32Array(failed.length > 0 ? messages.length : 0).fill(1);
    for (let retry = 1; failed.length > 0 && retry <= policy.retries; retry++) {
      const again = failed.filter((index) => isRetryable(applied[index]));
      if (again.length === 0) break;
      if (!await slept(clock, retryWaitMs(policy, retry, options), released)) return [];
      counters.count("retries", again.length, "delivery_retries_total", { node: this.#node.name });
      for (const index of again) attempts[index]!++; // The index is one of `messages`, which `attempts` is as long as.
      failed = await this.#retry(messages, applied, again, failed, policy.timeoutMs);
    }
    if (released.aborted) return [];
    const failures = failed.map((index) => this.#failure({ edge, messages }, index, applied, attempts[index] ?? 1));
    const outputs = this.#account(messages, applied);
    if (failures.length > 0) await this.#office.conclude(failures);
    return outputs;
  }

  async #retry(
    messages: readonly Message[],
    applied: Applied[],
    again: readonly number[],
    failed: readonly number[],
    timeoutMs: number,
  ): Promise<number[]> {
    const some: Applied[] = new Array(again.length);
    const these = again.map((index) => messages[index]!); // `again` holds indexes of messages.
    await this.#caller.applyAll(these, some, timeoutMs);
    again.forEach((index, i) => applied[index] = some[i]!); // applyAll fills every place, or the engine has let go.
    return failed.filter((index) => applied[index] instanceof TransformError);
  }

  /** Opens and closes branches for what came out, and gives the outputs in order. */
  #account(messages: readonly Message[], applied: readonly Applied[]): readonly Message[] {
    const { ledger, counters } = this.#core;
    const outputs: Message[] = [];
    let filtered = 0;
    for (let i = 0; i < messages.length; i++) {
      const result = applied[i];
      const message = messages[i]!; // i is within messages.
      if (result instanceof TransformError) continue;
      if (result === undefined || (Array.isArray(result) && result.length === 0)) {
        filtered++;
        ledger.doneOne(message.seq);
      } else if (!Array.isArray(result)) outputs.push(result as Message);
      else {
        // `isArray` does not know lists that are read-only.
        const results = result as readonly Message[];
        if (results.length > 1) ledger.branch(message.seq, results.length - 1);
        spreadOutputs(results, outputs);
      }
    }
    if (filtered > 0) {
      counters.count("filtered", filtered, "fanout_no_match_total", { node: this.#node.name });
      ledger.settle();
    }
    return outputs;
  }

  #failure({ edge, messages }: Delivery, index: number, applied: readonly Applied[], attempts: number): Failure {
    const one = applied[index];
    const error = one instanceof TransformError ? one : new TransformError("other", "no result");
    if (error.kind === "steps") {
      this.#core.counters.instrument("script_step_budget_exhausted_total", { node: this.#node.name }).add(1);
    }
    return {
      message: messages[index]!, // index is one of the failed ones, all within messages.
      node: this.#node.name,
      edge,
      class: error.kind,
      reason: untransformable(this.#node.plugin, error.message),
      backtrace: error.backtrace,
      attempts,
    };
  }
}

function isRetryable(applied: Applied): boolean {
  return applied instanceof TransformError && applied.retryable;
}
