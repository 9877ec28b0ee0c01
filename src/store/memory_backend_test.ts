import { MemoryBackend, MemoryDisk } from "./memory_backend.ts";
import { storeSuite } from "./store_suite.ts";

storeSuite("MemoryBackend", () => {
  const disk = new MemoryDisk();
  return { open: () => new MemoryBackend(disk), [Symbol.dispose]: () => {} };
});
