/** Owns lanes without isolates: what crosses is cloned as a port would, a lane works in a later turn, dies when told. */

import { EventboatError } from "../../src/diagnostics/mod.ts";
import { type Lane, type LaneAnswer, type LaneBatch, type LaneProvider, LaneWork } from "../../src/engine/mod.ts";
import { segmentStart } from "../../src/message/mod.ts";
import type { Plan } from "../../src/plan/mod.ts";

/** What becomes of the lane that begins a message. */
export type LaneFate = "dies" | "sticks" | undefined;

/** How {@linkcode InlineLanes} behave. */
export interface InlineLanesOptions {
  /** Asked with the text of every message that is begun. Default: every lane lives. */
  readonly fate?: (text: string) => LaneFate;
  /** Told of every lane that is asked for, by its number from 1; what it throws is why it cannot be opened. */
  readonly onOpen?: (number: number) => void;
  /** Codecs the lanes cannot decode. Default: none. */
  readonly withoutCodecs?: boolean;
}

/** Lanes for every transform of a plan. */
export class InlineLanes implements LaneProvider {
  readonly #plan: Plan;
  readonly #options: InlineLanesOptions;
  /** Lanes that were asked for. */
  opened = 0;
  /** Lanes that were closed in order. */
  closed = 0;
  /** Lanes that were let go. */
  abandoned = 0;

  constructor(plan: Plan, options: InlineLanesOptions = {}) {
    this.#plan = plan;
    this.#options = options;
  }

  offers(): boolean {
    return true;
  }

  async open(node: string): Promise<Lane> {
    this.opened++;
    this.#options.onOpen?.(this.opened);
    const found = this.#plan.nodes.find(({ name }) => name === node);
    if (found?.kind !== "transform") throw new TypeError(`${node} is no transform`);
    const codecs = this.#options.withoutCodecs === true ? new Map<string, never>() : this.#plan.codecs;
    const lane = new InlineLane({ ...this.#plan, codecs, create: found.create }, node, this.#options.fate, {
      closed: () => this.closed++,
      abandoned: () => this.abandoned++,
    });
    await lane.init();
    return lane;
  }
}

class InlineLane implements Lane {
  readonly #work: LaneWork;
  readonly #fate: (text: string) => LaneFate;
  readonly #died = Promise.withResolvers<EventboatError>();
  readonly #told: { closed(): void; abandoned(): void };
  #turn: Promise<void> = Promise.resolve();
  #isOver = false;
  begun = 0;

  constructor(
    plan: ConstructorParameters<typeof LaneWork>[0]["plan"],
    node: string,
    fate: (text: string) => LaneFate = () => undefined,
    told: { closed(): void; abandoned(): void },
  ) {
    this.#work = new LaneWork({ node, plan, options: {}, begin: () => void this.begun++ });
    this.#fate = fate;
    this.#told = told;
  }

  init(): Promise<void> {
    return this.#work.init();
  }

  get codecs(): ReadonlySet<string> {
    return new Set(this.#work.codecs);
  }

  get died(): Promise<EventboatError> {
    return this.#died.promise;
  }

  apply(batch: LaneBatch): Promise<LaneAnswer> {
    const crossed = structuredClone(batch, { transfer: [batch.segment.bytes.buffer] });
    return new Promise((resolve) => {
      this.#turn = this.#turn.then(() => this.#apply(crossed, resolve));
    });
  }

  async #apply(batch: LaneBatch, answer: (answer: LaneAnswer) => void): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0));
    if (this.#isOver) return;
    const fates = batch.messages.map((message) => this.#fate(textOf(batch, message)));
    const at = fates.findIndex((fate) => fate !== undefined);
    if (at < 0) return await this.#work.handle(batch, (given) => answer(structuredClone(given)));
    this.begun += at + 1;
    this.#isOver = true;
    if (fates[at] === "dies") this.#died.resolve(new EventboatError("isolate_died", "the test killed it"));
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await this.#work.close();
    this.#told.closed();
  }

  abandon(): void {
    this.#isOver = true;
    this.#told.abandoned();
  }
}

/** The text a message arrived as. */
function textOf({ segment }: LaneBatch, message: LaneBatch["messages"][number]): string {
  const index = (typeof message === "number" ? message : message.index) - segment.from;
  // What is in front of the first message is the gap behind the one before it.
  const start = index === 0 && segment.from > 0 ? segment.gap : segmentStart(segment, index);
  return new TextDecoder().decode(segment.bytes.subarray(start, segment.ends[index]));
}
