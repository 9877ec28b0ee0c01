import assert from "node:assert/strict";
import { HeldClock } from "../../../base/mod.ts";
import { SinkError } from "../../../plugin/mod.ts";
import { silentLogger } from "../../../telemetry/mod.ts";
import { LineFile, type LineFileOptions } from "./line_file.ts";

/** What fails, and once only: writing after some bytes, syncing, or cutting back. */
type Fault = { readonly bytesBefore: number } | "sync" | "sync and cut";

const bytes = (text: string) => new TextEncoder().encode(text);

/** A disk that fails when it is told to. */
class FaultyDisk implements Disposable {
  readonly path = Deno.makeTempFileSync();
  readonly #faults: Fault[] = [];
  opened = 0;

  failNext(fault: Fault): void {
    this.#faults.push(fault);
  }

  file(options: Partial<LineFileOptions> = {}): LineFile {
    return new LineFile(this.path, {
      syncEachBatch: true,
      compression: "none",
      clock: new HeldClock(),
      log: silentLogger,
      openFile: async (path, how) => this.#wrap(await Deno.open(path, how)),
      ...options,
    });
  }

  text(): string {
    return Deno.readTextFileSync(this.path);
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.path);
  }

  #wrap(handle: Deno.FsFile): Deno.FsFile {
    this.opened++;
    const [write, syncData, truncate] = [
      handle.write.bind(handle),
      handle.syncData.bind(handle),
      handle.truncate.bind(handle),
    ];
    handle.write = async (part) => {
      const fault = this.#faults[0];
      if (typeof fault !== "object") return await write(part.subarray(0, 3));
      this.#faults.shift();
      if (fault.bytesBefore > 0) await write(part.subarray(0, fault.bytesBefore));
      throw new Error("no space left on device");
    };
    handle.syncData = async () => {
      const fault = this.#faults[0];
      if (fault === "sync") this.#faults.shift();
      if (typeof fault === "string") throw new Error("input/output error");
      await syncData();
    };
    handle.truncate = async (length) => {
      if (this.#faults[0] === "sync and cut") {
        this.#faults.shift();
        throw new Error("input/output error");
      }
      await truncate(length);
    };
    return handle;
  }
}

Deno.test("LineFile.append: a platform that takes few bytes at a time gets them all in order", async () => {
  using disk = new FaultyDisk();
  const file = disk.file();
  await file.append(bytes("one line\nand another\n"));
  await file.close();
  assert.equal(disk.text(), "one line\nand another\n");
});

for (
  const [title, fault] of [
    ["a write that fails at once", { bytesBefore: 0 }],
    ["a write that fails halfway", { bytesBefore: 4 }],
    ["a sync that fails", "sync"],
  ] as const
) {
  Deno.test(`LineFile.append: ${title} leaves the file as it was, and the retry writes it once`, async () => {
    using disk = new FaultyDisk();
    const file = disk.file();
    await file.append(bytes("first\n"));
    disk.failNext(fault);
    await assert.rejects(file.append(bytes("second\n")), SinkError);
    assert.equal(disk.text(), "first\n");
    await file.append(bytes("second\n"));
    await file.close();
    assert.equal(disk.text(), "first\nsecond\n");
  });
}

Deno.test("LineFile.append: after a failed sync the file is opened anew, since the old handle's state is unknown", async () => {
  using disk = new FaultyDisk();
  const file = disk.file();
  await file.append(bytes("first\n"));
  disk.failNext("sync");
  await assert.rejects(file.append(bytes("second\n")), SinkError);
  await file.append(bytes("second\n"));
  await file.close();
  assert.equal(disk.opened, 2);
});

Deno.test("LineFile.append: where cutting back fails too, the next opening still leaves whole lines only", async () => {
  using disk = new FaultyDisk();
  const file = disk.file();
  await file.append(bytes("first\n"));
  disk.failNext("sync and cut");
  await assert.rejects(file.append(bytes("second\nthi")), SinkError);
  await file.append(bytes("third\n"));
  await file.close();
  // Delivered at least once: the lines that could not be cut off come again with the retry.
  assert.equal(disk.text(), "first\nsecond\nthird\n");
  Deno.removeSync(`${disk.path}.torn`);
});

Deno.test("LineFile.sync: once it failed it never succeeds again, whatever the platform says", async () => {
  using disk = new FaultyDisk();
  const file = disk.file({ syncEachBatch: false });
  await file.append(bytes("first\n"));
  disk.failNext("sync");
  await assert.rejects(file.sync(), SinkError);
  await assert.rejects(file.sync(), SinkError);
  await file.append(bytes("second\n"));
  await assert.rejects(file.sync(), SinkError);
  await assert.rejects(file.close(), SinkError);
});

Deno.test("LineFile.open: an error names the path once and says why in words", async () => {
  const folder = Deno.makeTempDirSync();
  const options = { syncEachBatch: true, compression: "none", clock: new HeldClock(), log: silentLogger } as const;
  try {
    const denied = () => Promise.reject(new Deno.errors.NotCapable('Requires all access to "/x", run again with -A'));
    for (
      const [openFile, reason] of [[Deno.open, "it is a folder"], [denied, "it is closed to every pipeline"]] as const
    ) {
      const error = await new LineFile(folder, { ...options, openFile }).open().catch((caught) => caught);
      assert.ok(error instanceof SinkError);
      assert.equal(error.message, `cannot open ${folder} for appending: ${reason}`);
    }
  } finally {
    Deno.removeSync(folder);
  }
});

Deno.test("LineFile: a device is written to as it is", { ignore: Deno.build.os !== "linux" }, async () => {
  const options = { syncEachBatch: true, compression: "none", clock: new HeldClock(), log: silentLogger } as const;
  const nothing = new LineFile("/dev/null", { ...options, openFile: Deno.open });
  await nothing.append(bytes("first\n"));
  await nothing.close();
  const full = new LineFile("/dev/full", { ...options, openFile: Deno.open });
  await assert.rejects(full.append(bytes("first\n")), SinkError);
  await full.close();
});

Deno.test("LineFile: a head stands once at the start of every file, compressed and rotated ones too", async () => {
  for (const compression of ["none", "gzip"] as const) {
    const folder = Deno.makeTempDirSync();
    const path = `${folder}/rows.csv`;
    const options: LineFileOptions = {
      syncEachBatch: true,
      compression,
      bytesMax: 60,
      clock: new HeldClock(),
      log: silentLogger,
      openFile: Deno.open,
    };
    for (const lines of ["1\n2\n", `${"3".repeat(40)}\n`, `${"4".repeat(40)}\n`]) {
      const file = new LineFile(path, options);
      await file.append(bytes(lines), bytes("n\n"));
      await file.append(bytes("5\n"), bytes("n\n"));
      await file.close();
    }
    for (const { name } of Deno.readDirSync(folder)) {
      const packed = await Deno.open(`${folder}/${name}`);
      const text = await new Response(
        compression === "gzip" ? packed.readable.pipeThrough(new DecompressionStream("gzip")) : packed.readable,
      ).text();
      assert.equal(text.split("n\n").length, 2, `${name}: ${text}`);
      assert.ok(text.startsWith("n\n"));
    }
    assert.ok([...Deno.readDirSync(folder)].length > 1);
    Deno.removeSync(folder, { recursive: true });
  }
});
