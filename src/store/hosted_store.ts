/** Owns the store without an isolate of its own: client and server in one, joined by a real message channel. */

import type { StoreBackend } from "./backend.ts";
import { StoreClient, type StoreClientOptions } from "./client.ts";
import { MemoryBackend, type MemoryDisk } from "./memory_backend.ts";
import { StoreServer } from "./server.ts";

/** How a store in memory is opened. */
export interface MemoryStoreOptions extends StoreClientOptions {
  /** What an earlier store in memory left; default nothing. */
  readonly disk?: MemoryDisk;
}

/**
 * Serves any backend in this isolate. It behaves like a store isolate: bytes are copied and answers come in a later
 * turn. Closing the store closes the backend. Rejects as {@linkcode StoreClient.connect} does.
 */
export function hostStore(backend: StoreBackend, options: StoreClientOptions = {}): Promise<StoreClient> {
  const { port1, port2 } = new MessageChannel();
  // The server lives as long as its port, which the client closes.
  new StoreServer(port2, backend);
  return StoreClient.connect(port1, options);
}

/** Opens a store in memory, for `storage.ephemeral` and for tests. */
export function openMemoryStore(options: MemoryStoreOptions = {}): Promise<StoreClient> {
  return hostStore(new MemoryBackend(options.disk), options);
}
