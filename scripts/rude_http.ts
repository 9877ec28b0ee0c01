/** Owns the HTTP server that misbehaves for a person: one port to be used, another to command it. */

import { HttpPeer, type SeenRequest } from "../tests/suites/http_peer.ts";
import { type Rudeness, RudeServer } from "../tests/suites/rude_server.ts";
import * as rudenesses from "../tests/suites/rudenesses.ts";

const DRIP_PAUSE_MS = 100;
const PROMISED_BYTES = 1_000;
const BOMB_BYTES = 1_000_000_000;

const STATUS_PATH_REGEXP = /^\/status\/(\d{3})$/;

/** What can be commanded by name. */
const BEHAVIOURS: Readonly<Record<string, () => Rudeness>> = {
  "silent": rudenesses.silent,
  "hang-up": rudenesses.hangingUp,
  "reset": rudenesses.resetting,
  "truncated": () => rudenesses.truncated(PROMISED_BYTES, "short"),
  "half-closed": () => rudenesses.halfClosing(PROMISED_BYTES, "short"),
  "nonsense": rudenesses.nonsense,
  "drip": () => rudenesses.dripping(DRIP_PAUSE_MS),
  "endless-head": rudenesses.endlessHead,
  "endless-body": rudenesses.endlessBody,
  "broken-chunks": () => rudenesses.brokenChunks("short"),
  "gzip-bomb": () => rudenesses.gzipBomb(BOMB_BYTES),
};

/** The server and its control, until the scope ends. */
export class RudeHttp implements AsyncDisposable {
  readonly #server: RudeServer;
  readonly #control = new HttpPeer((request) => this.#obey(request));

  private constructor(server: RudeServer) {
    this.#server = server;
  }

  /** Starts both; it answers 200 until told otherwise. */
  static async start(): Promise<RudeHttp> {
    return new RudeHttp(await RudeServer.start(rudenesses.answering()));
  }

  /** How to use it, for a person. */
  get lines(): readonly string[] {
    return [
      `it answers 200 at ${this.#server.url()}`,
      `until told otherwise: curl -X POST ${this.#control.url("/NAME")}`,
      `NAME is status/NNN?header=value or one of: ${Object.keys(BEHAVIOURS).join(", ")}`,
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#control[Symbol.asyncDispose]();
    await this.#server[Symbol.asyncDispose]();
  }

  #obey({ path }: SeenRequest): Response {
    const { pathname, searchParams } = new URL(path, this.#control.url());
    const status = STATUS_PATH_REGEXP.exec(pathname)?.[1];
    const behaviour = BEHAVIOURS[pathname.slice(1)];
    if (status !== undefined) {
      this.#server.behave = rudenesses.answering(Number(status), Object.fromEntries(searchParams));
    } else if (behaviour !== undefined) {
      this.#server.behave = behaviour();
    } else {
      return new Response(`${this.lines.join("\n")}\n`, { status: 404 });
    }
    return new Response(`from the next request on: ${path.slice(1)}\n`);
  }
}
