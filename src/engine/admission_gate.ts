/** Owns the three limits of admission: slots, the distance to the frontier, and bytes in flight. */

/** What a batch wants to bring in. */
interface Claim {
  readonly messages: number;
  readonly bytes: number;
}

interface Waiter extends Claim {
  readonly signal: AbortSignal;
  readonly admit: () => void;
  readonly turnAway: (reason: unknown) => void;
}

/** One listener for all who wait under a signal: each of its own would make a long line slow, which signals do not like. */
interface Leaving {
  waiters: number;
  readonly leave: () => void;
}

/** The limits of one engine. */
export interface AdmissionLimits {
  /** Uncommitted messages. */
  readonly messagesMax: number;
  /** Sequences between the frontier and the newest one. */
  readonly lagMax: number;
  /** Bytes between the frontier and the newest sequence; a batch larger than this enters alone. */
  readonly bytesMax: number;
}

/**
 * First come, first served: a batch takes all its slots at once or waits, and nobody passes it. A slot is held from
 * admission until its message has committed; lag and bytes are freed as the frontier passes.
 */
export class AdmissionGate {
  readonly #limits: AdmissionLimits;
  /** In the order they came. */
  readonly #waiting = new Set<Waiter>();
  readonly #leaving = new Map<AbortSignal, Leaving>();
  #messages = 0;
  #lag = 0;
  #bytes = 0;
  /** Whether those who wait are being admitted: what that frees is seen by the loop under way. */
  #admitting = false;

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
  }

  /** Slots taken. */
  get inFlight(): number {
    return this.#messages;
  }

  /** Slots free. */
  get free(): number {
    return this.#limits.messagesMax - this.#messages;
  }

  /** Whether somebody waits to be admitted. */
  get waiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** Takes what a batch needs when it is there and nobody waits. */
  tryEnter(messages: number, bytes: number): boolean {
    if (this.#waiting.size > 0 || !this.#fits({ messages, bytes })) return false;
    this.#take({ messages, bytes });
    return true;
  }

  /**
   * Takes what a batch needs, waiting for it. `entered` is called in the moment it is taken, so that whoever takes
   * sequences there takes them in the order of admission; the promise follows what it gives. Rejects with the
   * signal's reason; nothing is taken then.
   */
  enter<T = void>(
    messages: number,
    bytes: number,
    signal: AbortSignal,
    entered?: () => T | PromiseLike<T>,
  ): Promise<T | undefined> {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (this.tryEnter(messages, bytes)) return Promise.resolve(entered?.());
    return new Promise((resolve, reject) => {
      this.#waiting.add({ messages, bytes, signal, admit: () => resolve(entered?.()), turnAway: reject });
      this.#listen(signal);
    });
  }

  /** Frees the slots of messages that committed or were refused. */
  releaseSlots(messages: number): void {
    this.#messages -= messages;
    this.#admitWaiting();
  }

  /** The frontier passed `sequences` numbers whose messages held `bytes`. */
  releaseWindow(sequences: number, bytes: number): void {
    this.#lag -= sequences;
    this.#bytes -= bytes;
    this.#admitWaiting();
  }

  #fits(claim: Claim): boolean {
    const { messagesMax, lagMax, bytesMax } = this.#limits;
    return this.#messages + claim.messages <= messagesMax &&
      (this.#lag === 0 || this.#lag + claim.messages <= lagMax) &&
      (this.#bytes === 0 || this.#bytes + claim.bytes <= bytesMax);
  }

  #take(claim: Claim): void {
    this.#messages += claim.messages;
    this.#lag += claim.messages;
    this.#bytes += claim.bytes;
  }

  /** One whose signal has aborted is about to leave: it does not enter, and nobody passes it before that. */
  #admitWaiting(): void {
    if (this.#admitting) return;
    this.#admitting = true;
    // Who is let in may bring others, who stand at the end and are met by the same loop.
    for (const next of this.#waiting) {
      if (!this.#fits(next) || next.signal.aborted) break;
      this.#waiting.delete(next);
      this.#forget(next.signal);
      this.#take(next);
      next.admit();
    }
    this.#admitting = false;
  }

  #listen(signal: AbortSignal): void {
    const known = this.#leaving.get(signal);
    if (known !== undefined) return void known.waiters++;
    const leave = () => this.#leave(signal);
    this.#leaving.set(signal, { waiters: 1, leave });
    signal.addEventListener("abort", leave, { once: true });
  }

  #forget(signal: AbortSignal): void {
    const known = this.#leaving.get(signal);
    if (known === undefined || --known.waiters > 0) return;
    this.#leaving.delete(signal);
    signal.removeEventListener("abort", known.leave);
  }

  /** All who wait under the signal leave; they may have been all that kept others out. */
  #leave(signal: AbortSignal): void {
    this.#leaving.delete(signal);
    for (const waiter of this.#waiting) {
      if (waiter.signal !== signal) continue;
      this.#waiting.delete(waiter);
      waiter.turnAway(signal.reason);
    }
    this.#admitWaiting();
  }
}
