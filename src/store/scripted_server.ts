/** Owns the server of the client's tests: it answers when the test says so, and what the test says. */

import type { EventboatError } from "../diagnostics/mod.ts";
import { StoreClient, type StoreClientOptions } from "./client.ts";
import { unpackSegments } from "./segment_pack.ts";
import type { StoreAnswer, StoreRequest } from "./wire.ts";

type GroupRequest = Extract<StoreRequest, { kind: "group" }>;

/** The other end of a client's port. Requests pile up until the test answers them. */
export class ScriptedServer {
  readonly requests: StoreRequest[] = [];
  readonly #port: MessagePort;
  #wake: () => void = () => {};

  constructor(port: MessagePort) {
    this.#port = port;
    port.onmessage = ({ data }: MessageEvent<StoreRequest>) => {
      this.requests.push(data);
      this.#wake();
    };
  }

  /** A client and the server it is connected to. */
  static async connect(options: StoreClientOptions = {}): Promise<{ client: StoreClient; server: ScriptedServer }> {
    const { port1, port2 } = new MessageChannel();
    const server = new ScriptedServer(port2);
    server.answer({ kind: "opened", start: { checkpoint: 5, lastSeq: 9, nextSeq: 10, sourceStates: new Map() } });
    return { client: await StoreClient.connect(port1, options), server };
  }

  answer(answer: StoreAnswer): void {
    this.#port.postMessage(answer);
  }

  /** Resolves once as many requests have come in all. */
  async received(count: number): Promise<void> {
    while (this.requests.length < count) await new Promise<void>((resolve) => this.#wake = resolve);
  }

  /** Answers the request of this number, counted from 0: a group as durable or failed, a call with its value. */
  settle(number: number, error: EventboatError | null = null, value: number | null = null): void {
    const request = this.#request(number);
    const record = error?.toRecord() ?? null;
    const { kind, id } = request;
    if (kind === "group") {
      const appendError = request.segments === null ? null : record;
      const marksError = request.segments === null ? record : null;
      return this.answer({ kind, id, appendError, marksError });
    }
    if (kind === "letters") return this.answer({ kind, id, errors: request.calls.map(() => record) });
    if (record !== null) return this.answer({ kind: "failure", id, error: record });
    this.answer({ kind: "result", id, value });
  }

  /** The first sequences of the segments in the group of this number. */
  firsts(number: number): number[] {
    const { segments } = this.group(number);
    return segments === null ? [] : unpackSegments(segments).map(({ first }) => first);
  }

  group(number: number): GroupRequest {
    const request = this.#request(number);
    if (request.kind !== "group") throw new Error(`request ${number} is a ${request.kind}`);
    return request;
  }

  /** Ends this end: from here on no answer comes. */
  die(): void {
    this.#port.close();
  }

  #request(number: number): StoreRequest {
    const request = this.requests[number];
    if (request === undefined) throw new Error(`there is no request ${number}`);
    return request;
  }
}
