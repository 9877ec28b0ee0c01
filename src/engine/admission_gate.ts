/** Owns the three limits of admission: slots, the distance to the frontier, and bytes in flight. */

/** What a batch wants to bring in. */
interface Claim {
  readonly messages: number;
  readonly bytes: number;
}

interface Waiter extends Claim {
  readonly signal: AbortSignal;
  readonly admit: () => void;
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
  readonly #waiting: Waiter[] = [];
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
    return this.#waiting.length > 0;
  }

  /** Takes what a batch needs when it is there and nobody waits. */
  tryEnter(messages: number, bytes: number): boolean {
    if (this.#waiting.length > 0 || !this.#fits({ messages, bytes })) return false;
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
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(signal.reason);
        // The one who left may have been all that kept smaller batches out.
        this.#admitWaiting();
      };
      const waiter: Waiter = {
        messages,
        bytes,
        signal,
        admit: () => {
          signal.removeEventListener("abort", leave);
          resolve(entered?.());
        },
      };
      this.#waiting.push(waiter);
      signal.addEventListener("abort", leave, { once: true });
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
    for (let next = this.#waiting[0]; next !== undefined && this.#fits(next); next = this.#waiting[0]) {
      if (next.signal.aborted) break;
      this.#waiting.shift();
      this.#take(next);
      next.admit();
    }
    this.#admitting = false;
  }
}
