import { SqliteBackend } from "./sqlite_backend.ts";
import { storePath } from "./store_path.ts";
import { storeSuite } from "./store_suite.ts";

for (const durability of ["power", "process"] as const) {
  storeSuite(`SqliteBackend, ${durability}`, () => {
    const dataDir = Deno.makeTempDirSync();
    return {
      open: () => new SqliteBackend(storePath(dataDir, "orders"), { durability, reserveBytes: 65_536 }),
      [Symbol.dispose]: () => Deno.removeSync(dataDir, { recursive: true }),
    };
  });
}
