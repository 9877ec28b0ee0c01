/** Owns the test of a store whose system calls fail: every answer must say what a restart then finds. */

import assert from "node:assert/strict";
import { checkStore, hostStore, SqliteBackend, storePath } from "../../src/store/mod.ts";
import { isNumbered, NUMBERED_MESSAGES } from "./numbered_segment.ts";

const SEGMENTS = 100;

/** What the writer said of one segment. */
interface Answer {
  readonly first: number;
  readonly kind: string;
  readonly code?: string;
}

/** Runs the writer under strace, which makes system calls on the store's files fail; answers what the writer said. */
async function write(path: string, durability: string, inject: string): Promise<readonly Answer[]> {
  const traced = [path, `${path}-wal`].flatMap((file) => ["-P", file]);
  const child = [new URL("store_child.ts", import.meta.url).pathname, path, durability, String(SEGMENTS)];
  const config = new URL("../../deno.json", import.meta.url).pathname;
  // With the seccomp filter strace injects errors fast, and no signals at all.
  const filter = inject.includes("signal=") ? [] : ["--seccomp-bpf"];
  const { stdout } = await new Deno.Command("strace", {
    args: [
      ...[
        "-f",
        ...filter,
        "-qq",
        ...traced,
        "-e",
        "trace=pwrite64,fsync",
        "-e",
        `inject=${inject}`,
        "-o",
        `${path}.trace`,
      ],
      ...[Deno.execPath(), "run", "--allow-all", "--no-check", "--config", config, ...child],
    ],
    stderr: "null",
  }).output();
  const answers = new TextDecoder().decode(stdout).split("\n").filter((line) => line !== "").map((line) =>
    JSON.parse(line)
  );
  // A killed process leaves no word of its last call, and has not come to its end.
  const met = answers.length < SEGMENTS || (await Deno.readTextFile(`${path}.trace`)).includes("INJECTED");
  assert.ok(met, `${inject} was never met`);
  return answers;
}

/** The first sequences of the segments that a restart finds, each of which must be as it was written. */
async function restart(path: string): Promise<readonly number[]> {
  assert.deepEqual(checkStore(path).filter(({ what }) => !what.includes("are missing")), []);
  const store = await hostStore(new SqliteBackend(path, { durability: "power", reserveBytes: 0 }));
  try {
    const segments = await store.readSegments(0, 1e9);
    assert.ok(segments.every(isNumbered));
    return segments.map((segment) => segment.first);
  } finally {
    await store.close();
  }
}

function ioTest(name: string, fn: (path: string) => Promise<void>): void {
  const possible = Deno.build.os === "linux" &&
    new Deno.Command("sh", { args: ["-c", "command -v strace"] }).outputSync().success;
  const required = Deno.env.get("CI") === "true";
  if (!possible && !required) console.error(`SKIPPED: ${name}: strace is not installed`);
  Deno.test({
    name,
    ignore: !possible && !required,
    sanitizeOps: true,
    sanitizeResources: true,
    fn: async () => {
      const folder = await Deno.makeTempDir({ prefix: "eventboat-io-" });
      try {
        const path = storePath(folder, "orders");
        await Deno.mkdir(`${folder}/stores`);
        await fn(path);
      } finally {
        await Deno.remove(folder, { recursive: true });
      }
    },
  });
}

const firsts = (answers: readonly Answer[], kind: string) =>
  answers.filter((answer) => answer.kind === kind).map((answer) => answer.first);

ioTest(
  "store: a write without room refuses the segment and those behind it, and a restart does not find them",
  async (path) => {
    const answers = await write(path, "power", "pwrite64:error=ENOSPC:when=90..92");
    const durable = firsts(answers, "durable");
    const refused = answers.filter(({ kind }) => kind === "refused");
    assert.ok(durable.length > 0 && refused.length > 0);
    assert.ok(refused.every(({ code }) => code === "store_full"));
    assert.deepEqual(await restart(path), durable);
  },
);

ioTest("store: a sync that fails leaves the segment unknown, whatever the restart finds of it", async (path) => {
  const answers = await write(path, "power", "fsync:error=EIO:when=20");
  const durable = firsts(answers, "durable");
  const [unknown] = firsts(answers, "unknown");
  assert.ok(durable.length > 0 && unknown === durable.length * NUMBERED_MESSAGES + 1);
  const found = await restart(path);
  assert.deepEqual(found.filter((first) => first !== unknown), durable);
});

ioTest("store: a write that fails at the commit leaves the segment unknown", async (path) => {
  const answers = await write(path, "power", "pwrite64:error=EIO:when=90");
  const durable = firsts(answers, "durable");
  assert.equal(firsts(answers, "unknown").length, 1);
  assert.equal(answers.find(({ kind }) => kind === "unknown")?.code, "store_unknown");
  assert.deepEqual((await restart(path)).slice(0, durable.length), durable);
});

ioTest("store: a sync that fails while the log is copied harms no segment", async (path) => {
  const answers = await write(path, "process", "fsync:error=EIO:when=8..9");
  assert.equal(firsts(answers, "durable").length, SEGMENTS);
  assert.deepEqual(await restart(path), firsts(answers, "durable"));
});

ioTest("store: short writes are finished", async (path) => {
  const answers = await write(path, "power", "pwrite64:retval=100:when=100..105");
  assert.equal(firsts(answers, "durable").length, SEGMENTS);
});

ioTest("store: a process killed at any sync leaves everything it called durable", async (path) => {
  for (const when of [9, 14, 31, 52, 90]) {
    const own = `${path}.${when}`;
    const durable = firsts(await write(own, "power", `fsync:signal=KILL:when=${when}`), "durable");
    const found = await restart(own);
    assert.deepEqual(found.slice(0, durable.length), durable);
    assert.ok(found.length <= durable.length + 1);
  }
});
