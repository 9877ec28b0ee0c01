/** Owns a sink's queue discipline: what goes into a batch, when it goes, and in which order keys may pass. */

import type { BoundedQueue } from "../base/mod.ts";
import { EventboatError } from "../diagnostics/mod.ts";
import type { CelKey } from "../languages/mod.ts";
import type { PlanSink } from "../plan/mod.ts";
import { batchMessagesMax, unordered } from "../plugin/mod.ts";
import type { Delivery, EngineCore } from "./core.ts";
import type { DeadLetterOffice } from "./dead_letter_office.ts";
import { SinkItem } from "./encoded_batch.ts";
import { OrderedLanes } from "./ordered_lanes.ts";
import type { SinkDelivery } from "./sink_delivery.ts";
import { unlessReleased } from "./router.ts";

/** The worker of one sink. */
export class SinkWorker {
  readonly #core: EngineCore;
  readonly #node: PlanSink;
  readonly #inbox: BoundedQueue<Delivery>;
  readonly #delivery: SinkDelivery;
  readonly #office: DeadLetterOffice;
  readonly #orderKey: CelKey | undefined;
  /** What was taken from the queue and did not fit the last batch: its messages from `#leftFrom` on. */
  #left: Delivery | undefined;
  #leftFrom = 0;

  constructor(
    core: EngineCore,
    node: PlanSink,
    inbox: BoundedQueue<Delivery>,
    delivery: SinkDelivery,
    office: DeadLetterOffice,
  ) {
    this.#core = core;
    this.#node = node;
    this.#inbox = inbox;
    this.#delivery = delivery;
    this.#office = office;
    this.#orderKey = node.orderKey?.bind(core.environment);
  }

  /** Works until the queue is closed and empty, or the engine lets go. */
  async run(): Promise<void> {
    if (this.#orderKey !== undefined) return await this.#runOrdered(this.#orderKey);
    for (;;) {
      const batch = await this.#collect();
      if (batch.length === 0 || this.#core.released.aborted) return;
      await this.#delivery.deliver(batch);
    }
  }

  async #runOrdered(orderKey: CelKey): Promise<void> {
    const lanes = new OrderedLanes<SinkItem>({
      batchMax: this.#batchMax,
      deliver: (items) => this.#delivery.deliver(items),
      fail: (caught) => this.#core.fail(EventboatError.from(caught, "internal", { node: this.#node.name })),
    });
    for (;;) {
      const batch = await this.#collect();
      if (batch.length === 0 || this.#core.released.aborted) break;
      for (const { item, key } of await this.#keyed(batch, orderKey)) lanes.add(item, key);
      if (await unlessReleased(lanes.roomy(), this.#core.released) === undefined) break;
    }
    await unlessReleased(lanes.idle(), this.#core.released);
  }

  /** Evaluates the order key; a message that has none is a dead letter of class `encode`. */
  async #keyed(
    batch: readonly SinkItem[],
    orderKey: CelKey,
  ): Promise<readonly { readonly item: SinkItem; readonly key: string }[]> {
    const keyed: { item: SinkItem; key: string }[] = [];
    const failures: { item: SinkItem; reason: string }[] = [];
    for (const item of batch) {
      try {
        keyed.push({ item, key: orderKey(item.message) });
      } catch (caught) {
        failures.push({ item, reason: unordered(EventboatError.from(caught, "expression").message) });
      }
    }
    if (failures.length > 0) {
      await this.#office.conclude(failures.map(({ item, reason }) => ({
        message: item.message,
        node: this.#node.name,
        edge: item.edge,
        class: "encode" as const,
        reason,
        attempts: 1,
      })));
    }
    return keyed;
  }

  /** No more than may be in flight: a written size beyond that could never be reached, and each batch would wait in vain. */
  get #batchMax(): number {
    return Math.min(batchMessagesMax(this.#node), this.#core.plan.limits.maxInFlight);
  }

  /** The next batch; empty when no more will come. */
  async #collect(): Promise<SinkItem[]> {
    const items: SinkItem[] = [];
    const first = this.#left ?? this.#inbox.tryTake() ??
      await unlessReleased(this.#inbox.take(), this.#core.released);
    if (first === undefined) return items;
    const from = this.#left === undefined ? 0 : this.#leftFrom;
    this.#left = undefined;
    this.#fill(items, first, from);
    this.#fillFromQueue(items);
    if (this.#node.batch !== undefined && items.length < this.#batchMax) {
      await this.#fillInTime(items, this.#node.batch.timeoutMs);
    }
    this.#core.counters.entered(this.#node.name, items.length);
    return items;
  }

  #fillFromQueue(items: SinkItem[]): void {
    while (items.length < this.#batchMax) {
      const more = this.#inbox.tryTake();
      if (more === undefined) return;
      this.#fill(items, more);
    }
  }

  /** A written batch waits for company until its time is over; when nothing more will come it goes at once. */
  async #fillInTime(items: SinkItem[], timeoutMs: number): Promise<void> {
    const { clock } = this.#core.options;
    const over = new AbortController();
    const goAtOnce = () => over.abort();
    this.#core.draining.addEventListener("abort", goAtOnce, { once: true });
    this.#core.released.addEventListener("abort", goAtOnce, { once: true });
    if (this.#core.draining.aborted || this.#core.released.aborted) over.abort();
    const timer = new AbortController();
    // Rejected only when the batch was full before its time: nobody waits for the timer then.
    clock.sleep(timeoutMs, timer.signal).then(goAtOnce, () => {});
    try {
      while (items.length < this.#batchMax) {
        const more = await this.#inbox.take(over.signal);
        if (more === undefined) return;
        this.#fill(items, more);
      }
    } catch {
      // The time is over, or nothing more will come: what is there goes, with what came in the same moment.
      this.#fillFromQueue(items);
    } finally {
      timer.abort();
      this.#core.draining.removeEventListener("abort", goAtOnce);
      this.#core.released.removeEventListener("abort", goAtOnce);
    }
  }

  /** Takes what fits. The rest stays where it is: a transform may make a million messages of one. */
  #fill(items: SinkItem[], delivery: Delivery, from = 0): void {
    const { edge, messages } = delivery;
    const to = Math.min(messages.length, from + this.#batchMax - items.length);
    for (let i = from; i < to; i++) items.push(new SinkItem(messages[i]!, edge)); // i is within messages.
    if (to === messages.length) return;
    this.#left = delivery;
    this.#leftFrom = to;
  }
}
