import assert from "node:assert/strict";
import { type Clock, systemClock } from "../base/mod.ts";
import { FileWatch } from "./file_watch.ts";

/** Waits for nothing: what settles, settles at once. */
const clock: Clock = { ...systemClock, sleep: () => Promise.resolve() };

async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "eventboat-watch-" });
  try {
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("FileWatch: tells a change of contents, also by a rename, and no touch", () =>
  inFolder(async (folder) => {
    const [file, other] = [`${folder}/a.yaml`, `${folder}/b.yaml`];
    await Deno.writeTextFile(file, "one");
    await Deno.writeTextFile(other, "other");
    using watch = new FileWatch({ files: [file, other], clock });
    const never = new AbortController().signal;
    // The same contents again are no change: what is told is the one behind it.
    await Deno.writeTextFile(file, "one");
    await Deno.writeTextFile(other, "changed");
    assert.equal(await watch.changed(never), true);
    await Deno.writeTextFile(`${folder}/new`, "two");
    await Deno.rename(`${folder}/new`, file);
    assert.equal(await watch.changed(never), true);
  }));

Deno.test("FileWatch: tells a new name in a folder, and not what becomes of it", () =>
  inFolder(async (folder) => {
    using watch = new FileWatch({ files: [], folders: [folder], clock });
    const never = new AbortController().signal;
    await Deno.writeTextFile(`${folder}/new.yaml`, "one");
    assert.equal(await watch.changed(never), true);
    await Deno.writeTextFile(`${folder}/new.yaml`, "two");
    await Deno.remove(`${folder}/new.yaml`);
    assert.equal(await watch.changed(never), true);
  }));

Deno.test("FileWatch: an abort ends the wait, and the next wait misses nothing", () =>
  inFolder(async (folder) => {
    const file = `${folder}/a.yaml`;
    await Deno.writeTextFile(file, "one");
    using watch = new FileWatch({ files: [file], clock });
    const stop = new AbortController();
    const waiting = watch.changed(stop.signal);
    stop.abort();
    assert.equal(await waiting, false);
    await Deno.writeTextFile(file, "two");
    assert.equal(await watch.changed(new AbortController().signal), true);
  }));
