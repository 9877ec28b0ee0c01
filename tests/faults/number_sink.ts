/** Owns the receiver of numbered messages: an HTTP server that takes them or does not, as it is told. */

import { HttpPeer } from "../suites/http_peer.ts";

/** Takes lines of `{"n":NUMBER}`. */
export class NumberSink implements AsyncDisposable {
  /** Every number that was taken. */
  readonly taken = new Set<number>();
  /** Whether a request is taken; one that is not is answered 503. */
  takes = false;
  /** Requests that were not taken. */
  refused = 0;
  readonly #peer: HttpPeer;

  constructor() {
    this.#peer = new HttpPeer(({ body }) => {
      // What was seen is kept by the peer, for tests of single requests; here it would be the whole load.
      this.#peer.seen.length = 0;
      if (!this.takes) {
        this.refused++;
        return new Response("not now", { status: 503 });
      }
      for (const line of body.split("\n")) if (line !== "") this.taken.add(JSON.parse(line).n);
      return new Response();
    });
  }

  get url(): string {
    return this.#peer.url();
  }

  /** Whether one of these numbers has not come. */
  lacks(numbers: readonly number[]): boolean {
    return numbers.some((n) => !this.taken.has(n));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#peer[Symbol.asyncDispose]();
  }
}
