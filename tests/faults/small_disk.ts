/** Owns disks that can fill up: file systems in memory, mounted for one test. */

import assert from "node:assert/strict";

/** A file system of a fixed size at a folder of its own. */
export class SmallDisk implements AsyncDisposable {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Mounts one. Rejects where this process may not mount. */
  static async mount(megabytes: number): Promise<SmallDisk> {
    const disk = new SmallDisk(await Deno.makeTempDir({ prefix: "eventboat-disk-" }));
    await run("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", disk.folder]);
    return disk;
  }

  /** Mounts it anew, as `size=40m` or `ro` says. */
  async remount(option: string): Promise<void> {
    await run("mount", ["-o", `remount,${option}`, this.folder]);
  }

  /** Fills the disk to its last byte with a file of this name. */
  fill(name: string): void {
    using file = Deno.openSync(`${this.folder}/${name}`, { write: true, create: true });
    for (const bytes of [1024 * 1024, 4096]) {
      const piece = new Uint8Array(bytes);
      try {
        for (;;) file.writeSync(piece);
      } catch (caught) {
        assert.equal(caught instanceof Error && "code" in caught ? caught.code : "", "ENOSPC");
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await run("umount", [this.folder]);
    await Deno.remove(this.folder);
  }
}

/**
 * Registers a test that needs to mount. Where that is not possible it is skipped and says so on stderr; with `CI=true`
 * it fails.
 */
export function diskTest(name: string, megabytes: number, fn: (disk: SmallDisk) => Promise<void>): void {
  const possible = Deno.build.os === "linux" && Deno.uid() === 0;
  const required = Deno.env.get("CI") === "true";
  if (!possible && !required) console.error(`SKIPPED: ${name}: mounting a small file system needs root on Linux`);
  Deno.test({
    name,
    ignore: !possible && !required,
    sanitizeOps: true,
    sanitizeResources: true,
    fn: async () => {
      await using disk = await SmallDisk.mount(megabytes);
      await fn(disk);
    },
  });
}

async function run(command: string, args: readonly string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(command, { args: [...args] }).output();
  assert.ok(success, `${command} ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
}
