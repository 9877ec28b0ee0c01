/** Owns a disk that loses its power: an ext4 image whose unsynced writes can be thrown away. */

import assert from "node:assert/strict";

const IMAGE_BYTES = 96 * 1024 * 1024;
/** ext4's shutdown: flag 2 throws away everything that was not synced. */
const SHUTDOWN_REQUEST = 0x8004587dn;
const SHUTDOWN_NO_FLUSH = 2;

/** Whether this machine can have such a disk. */
export function canLosePower(): boolean {
  if (Deno.build.os !== "linux" || Deno.uid() !== 0) return false;
  const { success } = new Deno.Command("sh", { args: ["-c", "command -v mkfs.ext4 && test -e /dev/loop-control"] })
    .outputSync();
  return success;
}

/** A mounted image. */
export class LossyDisk implements AsyncDisposable {
  readonly #base: string;
  readonly #image: string;
  readonly folder: string;

  private constructor(base: string) {
    this.#base = base;
    this.#image = `${base}/image`;
    this.folder = `${base}/disk`;
  }

  static async make(): Promise<LossyDisk> {
    const disk = new LossyDisk(await Deno.makeTempDir({ prefix: "eventboat-power-" }));
    await Deno.mkdir(disk.folder);
    await Deno.writeFile(disk.#image, new Uint8Array());
    await Deno.truncate(disk.#image, IMAGE_BYTES);
    await run("mkfs.ext4", ["-q", "-F", disk.#image]);
    await disk.#mount();
    return disk;
  }

  /** Cuts the power. Nothing can be written from here on; whoever holds files open must be stopped by the caller. */
  cutPower(): void {
    const libc = Deno.dlopen("libc.so.6", {
      open: { parameters: ["buffer", "i32"], result: "i32" },
      ioctl: { parameters: ["i32", "u64", "buffer"], result: "i32" },
      close: { parameters: ["i32"], result: "i32" },
    });
    try {
      const handle = libc.symbols.open(new TextEncoder().encode(`${this.folder}\0`), 0);
      assert.ok(handle >= 0, "the disk's folder cannot be opened");
      assert.equal(libc.symbols.ioctl(handle, SHUTDOWN_REQUEST, Uint32Array.of(SHUTDOWN_NO_FLUSH)), 0);
      libc.symbols.close(handle);
    } finally {
      libc.close();
    }
  }

  /** Gives the power back: what the disk holds now is what was synced. */
  async restart(): Promise<void> {
    await run("umount", [this.folder]);
    await this.#mount();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await run("umount", [this.folder]);
    await Deno.remove(this.#base, { recursive: true });
  }

  async #mount(): Promise<void> {
    await run("mount", ["-o", "loop", this.#image, this.folder]);
  }
}

async function run(command: string, args: readonly string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(command, { args: [...args] }).output();
  assert.ok(success, `${command} ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
}
