/** The durable side of a pipeline: segments, checkpoint, source states, dead letters. */
export * from "./contract.ts";
export { type BackendOperation, type StoreBackend } from "./backend.ts";
export { checkStore } from "./check_store.ts";
export { COMPANION_WAIT_MS, STORE_DEADLINE_MS, StoreClient, type StoreClientOptions } from "./client.ts";
export {
  type Fault,
  type FaultKind,
  type FaultObserver,
  type FaultOperation,
  FaultyBackend,
} from "./faulty_backend.ts";
export { hostStore, type MemoryStoreOptions, openMemoryStore } from "./hosted_store.ts";
export type { DeadLetterCount } from "./letter_reader.ts";
export { MemoryBackend, MemoryDisk } from "./memory_backend.ts";
export { storeStats } from "./offline_store.ts";
export { type LostRange, type SalvageReport, salvageStore } from "./salvage_store.ts";
export { type ServeOptions, serveStore } from "./serve.ts";
export { StoreServer } from "./server.ts";
export { SqliteBackend, type SqliteOptions } from "./sqlite_backend.ts";
export { StoreLock } from "./store_lock.ts";
export { StoreReader } from "./store_reader.ts";
export { lockPath, storePath } from "./store_path.ts";
export { GROUPS_IN_FLIGHT_MAX, type WriteBatchOptions } from "./write_queue.ts";
