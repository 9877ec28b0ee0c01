import assert from "node:assert/strict";
import { StoreLock } from "./store_lock.ts";
import { lockPath, storePath } from "./store_path.ts";

const STRICT = { sanitizeOps: true, sanitizeResources: true };

Deno.test({
  name: "StoreLock: a second taker is refused until the first has let go, and the file stays",
  ...STRICT,
  fn: async () => {
    const dataDir = await Deno.makeTempDir();
    const path = storePath(dataDir, "orders");
    try {
      {
        using _held = await StoreLock.take(path);
        const refused = { code: "store_locked", message: new RegExp(`process ${Deno.pid}$`) };
        await assert.rejects(StoreLock.take(path), refused);
      }
      assert.equal((await Deno.stat(lockPath(path))).size, 0);
      using _again = await StoreLock.take(path);
    } finally {
      await Deno.remove(dataDir, { recursive: true });
    }
  },
});

Deno.test({
  name: "StoreLock: a process that is killed lets go",
  ...STRICT,
  fn: async () => {
    const dataDir = await Deno.makeTempDir();
    const path = storePath(dataDir, "orders");
    const program = `
      const { StoreLock } = await import(Deno.args[0]);
      const lock = await StoreLock.take(Deno.args[1]);
      console.log("held");
      await new Promise((resolve) => setTimeout(resolve, 60_000));
      lock[Symbol.dispose]();`;
    const script = `${dataDir}/holder.ts`;
    await Deno.writeTextFile(script, program);
    const holder = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", script, import.meta.resolve("./store_lock.ts"), path],
      stdout: "piped",
    }).spawn();
    try {
      const reader = holder.stdout.getReader();
      assert.equal(new TextDecoder().decode((await reader.read()).value), "held\n");
      await assert.rejects(StoreLock.take(path), { code: "store_locked" });
      holder.kill("SIGKILL");
      await holder.status;
      await reader.cancel();
      using _taken = await StoreLock.take(path);
    } finally {
      await Deno.remove(dataDir, { recursive: true });
    }
  },
});

Deno.test({
  name: "StoreLock: a folder that cannot be made is told as such",
  ...STRICT,
  fn: async () => {
    const dataDir = await Deno.makeTempDir();
    try {
      await Deno.writeTextFile(`${dataDir}/file`, "");
      await assert.rejects(StoreLock.take(storePath(`${dataDir}/file`, "orders")), { code: "store_open" });
    } finally {
      await Deno.remove(dataDir, { recursive: true });
    }
  },
});
