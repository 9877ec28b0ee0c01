/** Owns what a store isolate does: it opens a store, serves it over a port and ends with it. */

import { EventboatError } from "../diagnostics/mod.ts";
import type { StoreBackend } from "./backend.ts";
import { StoreServer } from "./server.ts";
import { ShadowBackend } from "./shadow_backend.ts";
import { SqliteBackend, type SqliteOptions } from "./sqlite_backend.ts";
import type { StoreAnswer } from "./wire.ts";

/** Which store to serve, and how. */
export interface ServeOptions extends SqliteOptions {
  /** The store's file; see {@linkcode storePath}. Whoever asks holds its lock. */
  readonly path: string;
  /** Whether it is only read, and what is written stays in memory. Needs no lock. Default false. */
  readonly shadow?: boolean;
  /** Aborts when the client died, which the platform tells nobody: the store is closed in its place. */
  readonly clientLost?: AbortSignal;
}

/**
 * Serves the store at `options.path` until the client at the other end of `port` closes it or is lost. A store that cannot be
 * opened is told to the client, whose connecting rejects with the reason; this resolves then, too. Rejects only when
 * the server itself fails, which nobody at the other end hears of: the host must tell them.
 */
export async function serveStore(port: MessagePort, options: ServeOptions): Promise<void> {
  let backend: StoreBackend;
  try {
    backend = options.shadow === true ? new ShadowBackend(options.path) : new SqliteBackend(options.path, options);
  } catch (caught) {
    const answer: StoreAnswer = { kind: "not_opened", error: EventboatError.from(caught, "store_open").toRecord() };
    port.postMessage(answer);
    port.close();
    return;
  }
  const server = new StoreServer(port, backend);
  options.clientLost?.addEventListener("abort", () => server.clientLost(), { once: true });
  if (options.clientLost?.aborted) server.clientLost();
  await server.closed;
}
