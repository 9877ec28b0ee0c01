/** Owns a load of requests: several clients that keep their connections and send one numbered message after another. */

/** How long a client waits after an answer that is not 2xx, or none. */
const AFTER_REFUSAL_MS = 20;
/** How long an answer may take. */
const ANSWER_MS = 10_000;

/** An answer to a message. */
export interface LoadAnswer {
  readonly status: number;
  readonly body: string;
}

/** How a {@linkcode RequestLoad} sends. */
export interface RequestLoadOptions {
  readonly url: string;
  readonly clients: number;
  /** The first number; each message is `{"n":NUMBER}`. */
  readonly first: number;
  /** Bytes of padding in each message. */
  readonly padding?: number;
}

/** Sends from its making until {@linkcode RequestLoad.stop}. */
export class RequestLoad {
  /** The numbers that were answered 2xx. */
  readonly accepted: number[] = [];
  /** Answers that were not. */
  readonly refusals: LoadAnswer[] = [];
  readonly #options: RequestLoadOptions;
  readonly #stop = new AbortController();
  readonly #clients: Promise<void>[];
  #next: number;

  constructor(options: RequestLoadOptions) {
    this.#options = options;
    this.#next = options.first;
    this.#clients = Array.from({ length: options.clients }, () => this.#run());
  }

  /** Sends nothing more, and gives up requests without an answer. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#clients);
  }

  async #run(): Promise<void> {
    using client = Deno.createHttpClient({});
    const padding = "x".repeat(this.#options.padding ?? 0);
    while (!this.#stop.signal.aborted) {
      const n = this.#next++;
      const answer = await postOnce(this.#options.url, JSON.stringify(padding === "" ? { n } : { n, padding }), {
        client,
        signal: this.#stop.signal,
      });
      if (answer !== undefined && answer.status < 300) {
        this.accepted.push(n);
        continue;
      }
      // Without an answer nothing is known of this message, and nothing is claimed of it.
      if (answer !== undefined) this.refusals.push(answer);
      await new Promise((resolve) => setTimeout(resolve, AFTER_REFUSAL_MS));
    }
  }
}

/** With what a request is sent. */
export interface PostOptions {
  readonly client?: Deno.HttpClient;
  readonly signal?: AbortSignal;
}

/** Sends one request; undefined when no answer came. */
export async function postOnce(url: string, body: string, options: PostOptions = {}): Promise<LoadAnswer | undefined> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ANSWER_MS);
  const signal = options.signal === undefined ? late.signal : AbortSignal.any([late.signal, options.signal]);
  try {
    const client = options.client === undefined ? {} : { client: options.client };
    const response = await fetch(url, { method: "POST", body, signal, ...client });
    return { status: response.status, body: await response.text() };
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
