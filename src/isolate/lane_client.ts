/** Owns the pipeline isolate's end of lanes: asks the supervisor for them and speaks to each over its port. */

import { raceAbort } from "../base/mod.ts";
import { EventboatError } from "../diagnostics/mod.ts";
import type { Lane, LaneAnswer, LaneBatch, LaneProvider } from "../engine/mod.ts";
import type { FromPipeline, LaneCall, LaneReply, ToPipeline } from "./protocol.ts";

/** What the supervisor says about lanes. */
export type LaneWord = Extract<ToPipeline, { readonly kind: "lane" | "lane_died" }>;

/** The lanes of one pipeline, as its engine sees them. */
export class LaneClients implements LaneProvider {
  readonly #nodes: ReadonlySet<string>;
  readonly #post: (message: FromPipeline) => void;
  readonly #clients = new Map<number, LaneClient>();
  #lastId = 0;

  /** `nodes` are the transforms that may have lanes. */
  constructor(nodes: readonly string[], post: (message: FromPipeline) => void) {
    this.#nodes = new Set(nodes);
    this.#post = post;
  }

  offers(node: string): boolean {
    return this.#nodes.has(node);
  }

  async open(node: string, signal: AbortSignal): Promise<Lane> {
    const id = ++this.#lastId;
    const client = new LaneClient(() => {
      this.#clients.delete(id);
      this.#post({ kind: "drop_lane", id });
    });
    this.#clients.set(id, client);
    this.#post({ kind: "open_lane", id, node });
    try {
      await raceAbort(client.ready, signal);
      return client;
    } catch (caught) {
      client.abandon();
      throw caught;
    }
  }

  /** Takes what the supervisor says. */
  receive(word: LaneWord): void {
    const client = this.#clients.get(word.id);
    if (word.kind === "lane_died") client?.die(EventboatError.revive(word.error));
    else if (client === undefined) word.port.close();
    else client.connect(word.port);
  }
}

/** One lane over its port. */
class LaneClient implements Lane {
  readonly #begun = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  readonly #begunCount = new Int32Array(this.#begun);
  readonly #ready = Promise.withResolvers<void>();
  readonly #died = Promise.withResolvers<EventboatError>();
  readonly #closed = Promise.withResolvers<void>();
  /** Batches under way, the oldest first. */
  readonly #answers: ((answer: LaneAnswer) => void)[] = [];
  readonly #drop: () => void;
  #port: MessagePort | undefined;
  #isOver = false;
  codecs: ReadonlySet<string> = new Set();

  /** `drop` is told once, when the lane is not needed any more. */
  constructor(drop: () => void) {
    this.#drop = drop;
    // Whoever opens a lane waits for it; nobody else has to know how that ended.
    this.#ready.promise.catch(() => {});
  }

  /** Settles when the transform is initialised, or could not be. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  get died(): Promise<EventboatError> {
    return this.#died.promise;
  }

  get begun(): number {
    return Atomics.load(this.#begunCount, 0);
  }

  connect(port: MessagePort): void {
    if (this.#isOver) return port.close();
    this.#port = port;
    port.onmessage = ({ data }: MessageEvent<LaneReply>) => this.#receive(data);
    port.onmessageerror = () => this.die(new EventboatError("isolate_died", "what it answered could not be read"));
    this.#call({ kind: "begin", begun: this.#begun }, []);
  }

  apply(batch: LaneBatch): Promise<LaneAnswer> {
    this.#call({ kind: "apply", batch }, [batch.segment.bytes.buffer]);
    return new Promise((resolve) => this.#answers.push(resolve));
  }

  async close(): Promise<void> {
    if (this.#isOver) return;
    this.#call({ kind: "close" }, []);
    await this.#closed.promise;
  }

  abandon(): void {
    this.#end();
  }

  /** The supervisor says that the isolate is gone. */
  die(error: EventboatError): void {
    if (this.#isOver) return;
    this.#end();
    this.#ready.reject(error);
    this.#died.resolve(error);
  }

  #receive(reply: LaneReply): void {
    if (this.#isOver) return;
    if (reply.kind === "answer") this.#answers.shift()?.(reply.answer);
    else if (reply.kind === "ready") {
      this.codecs = new Set(reply.codecs);
      this.#ready.resolve();
    } else {
      this.#end();
      if (reply.kind === "refused") this.#ready.reject(EventboatError.revive(reply.error));
    }
  }

  #call(call: LaneCall, transfer: Transferable[]): void {
    this.#port?.postMessage(call, transfer);
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#port?.close();
    this.#closed.resolve();
    this.#drop();
  }
}
