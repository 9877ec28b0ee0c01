/** Owns the patience of a source whose input waits for it: a full disk stops it, and it goes on when there is room. */

import { EventboatError } from "../diagnostics/mod.ts";
import type { Emission } from "../message/mod.ts";
import type { PluginContext } from "./context.ts";
import type { Emit } from "./source.ts";

/** First and longest wait for room, in milliseconds: soon enough to be unnoticed, seldom enough to cost nothing. */
const ROOM_WAIT_MS = { first: 250, most: 5_000 };

interface Waiting {
  readonly batch: Emission;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Wraps an `Emit` for sources whose input can wait (files, timers; not a peer that wants an answer). A batch that is
 * refused because the disk is full is emitted again, with those that were refused behind it and in their order, until
 * it is durable. Every other error passes.
 */
export function patientEmit(emit: Emit, context: Pick<PluginContext, "clock" | "log">, signal: AbortSignal): Emit {
  const line = new PatientLine(emit, context, signal);
  return (batch) => line.add(batch);
}

class PatientLine {
  readonly #emit: Emit;
  readonly #context: Pick<PluginContext, "clock" | "log">;
  readonly #signal: AbortSignal;
  /** Refused for want of room, in their order. */
  #refused: Waiting[] = [];
  /** Added while others wait for room: they may not pass. */
  #behind: Waiting[] = [];
  #underWay = 0;
  #waiting = false;

  constructor(emit: Emit, context: Pick<PluginContext, "clock" | "log">, signal: AbortSignal) {
    this.#emit = emit;
    this.#context = context;
    this.#signal = signal;
  }

  add(batch: Emission): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const item = { batch, resolve, reject };
    if (this.#refused.length > 0 || this.#waiting) this.#behind.push(item);
    else this.#send(item);
    return promise;
  }

  #send(item: Waiting): void {
    this.#underWay++;
    // Both outcomes are handled; `#settled` hands every one to whoever waits for the item.
    this.#emit(item.batch).then(() => this.#settled(item, undefined), (caught) => this.#settled(item, caught));
  }

  #settled(item: Waiting, caught: unknown): void {
    this.#underWay--;
    if (caught === undefined) item.resolve();
    else if (isDiskFull(caught)) this.#refused.push(item);
    else item.reject(caught);
    if (this.#refused.length > 0 && this.#underWay === 0 && !this.#waiting) void this.#waitForRoom(caught);
  }

  /** Waits and tries the first refused batch alone; with the first that passes, all others follow. */
  async #waitForRoom(why: unknown): Promise<void> {
    const { clock, log } = this.#context;
    this.#waiting = true;
    log.log("error", "the disk is full; waiting for room", { error: EventboatError.from(why).message });
    for (let waitMs = ROOM_WAIT_MS.first;; waitMs = Math.min(waitMs * 2, ROOM_WAIT_MS.most)) {
      const first = this.#refused[0];
      if (first === undefined) break;
      try {
        await clock.sleep(waitMs, this.#signal);
        await this.#emit(first.batch);
      } catch (caught) {
        if (isDiskFull(caught) && !this.#signal.aborted) continue;
        this.#giveUp(this.#signal.aborted ? new EventboatError("shutdown", "stopped while waiting for room") : caught);
        break;
      }
      log.log("info", "there is room again");
      this.#refused.shift();
      first.resolve();
      break;
    }
    this.#waiting = false;
    const rest = [...this.#refused, ...this.#behind];
    this.#refused = [];
    this.#behind = [];
    for (const item of rest) this.#send(item);
  }

  #giveUp(error: unknown): void {
    for (const item of [...this.#refused, ...this.#behind]) item.reject(error);
    this.#refused = [];
    this.#behind = [];
  }
}

/** Whether what an `Emit` rejected with says that there is no room on the disk of the store. */
export function isDiskFull(caught: unknown): boolean {
  return caught instanceof EventboatError && caught.code === "refused" && caught.cause instanceof EventboatError &&
    caught.cause.code === "store_full";
}
