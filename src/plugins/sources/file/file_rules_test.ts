/** Lines that are too long, archives and blocks that are refused, as a user of the source meets them. */

import assert from "node:assert/strict";
import { gzipSync, zstdCompressSync } from "node:zlib";
import type { Data } from "../../../base/mod.ts";
import { EventboatError } from "../../../diagnostics/mod.ts";
import { fileDefinition } from "./file_config.ts";
import { fileSource } from "./file_source.ts";
import { SourceTrial, TrialFolder } from "./source_trial.ts";

const encode = (text: string) => new TextEncoder().encode(text);

async function readOnce(folder: TrialFolder, block: Record<string, Data>, state?: Uint8Array): Promise<SourceTrial> {
  const trial = new SourceTrial(folder.path, { on_eof: "stop", ...block }, { state });
  await trial.ended;
  return trial;
}

Deno.test("file source: a line of many windows is cut once, and the lines behind it arrive", async () => {
  using folder = new TrialFolder();
  folder.write("a.log", `first\n${"x".repeat(5_000_000)}\nlast\n`);
  const trial = await readOnce(folder, { path: "a.log", max_line_bytes: 1000 });
  assert.deepEqual(trial.texts.map((text) => text.length), [5, 1000, 4]);
  assert.equal(trial.count("lines_truncated"), 1);
  assert.equal(trial.arrivals[2]?.meta["offset"], 5_000_007);
});

Deno.test("file source: a life that ends inside a long line does not take its rest for a line", async () => {
  using folder = new TrialFolder();
  folder.write("a.log", `first\n${"x".repeat(3000)}`);
  const block = { path: "a.log", max_line_bytes: 1000 };
  const first = new SourceTrial(folder.path, block);
  await first.idle();
  assert.deepEqual(first.texts.map((text) => text.length), [5, 1000]);
  const state = await first.stop();
  folder.append("a.log", "yyy\nnext\n");
  await using second = new SourceTrial(folder.path, block, { state });
  await second.idle();
  assert.deepEqual(second.texts, ["next"]);
});

Deno.test("file source: skipped lines are counted and take no number", async () => {
  using folder = new TrialFolder();
  folder.write("a.log", `a\n${"x".repeat(20)}\nb\n`);
  const trial = await readOnce(folder, { path: "a.log", max_line_bytes: 10, oversize: "skip" });
  assert.deepEqual(trial.arrivals.map(({ text, srcSeq }) => [text, srcSeq]), [["a", 1], ["b", 2]]);
  assert.deepEqual([trial.count("lines_skipped"), trial.count("lines_read")], [1, 2]);
});

Deno.test("file source: the byte order mark is dropped at a file's start, and only there", async () => {
  using folder = new TrialFolder();
  folder.write("a.log", "\ufeffone\n\ufefftwo\n");
  const trial = await readOnce(folder, { path: "a.log" });
  assert.deepEqual(trial.arrivals.map(({ bytes }) => bytes.length), [3, 6]);
  assert.equal(trial.arrivals[0]?.meta["offset"], 3);
});

const FORMATS = [["gzip", "gz", gzipSync], ["zstd", "zst", zstdCompressSync]] as const;

Deno.test("file source: reads archives of several parts, and goes on in the middle of one", async () => {
  const lines = Array.from({ length: 30_000 }, (_, i) => `line ${i} ${i * 7919 % 1000}`);
  const [left, right] = [lines.slice(0, 20_000), lines.slice(20_000)].map((part) => encode(`${part.join("\n")}\n`));
  for (const [compression, extension, compress] of FORMATS) {
    using folder = new TrialFolder();
    const parts = [compress(left ?? ""), compress(""), compress(right ?? "")];
    folder.write(`a.log.${extension}`, new Uint8Array(parts.flatMap((part) => [...part])));
    folder.write("b.log", "plain\n");
    const whole = await readOnce(folder, { path: "*.log*", compression: "auto" });
    assert.deepEqual(whole.texts, [...lines, "plain"]);
    for (const committed of [1, 19_999, 25_000, 30_000]) {
      const state = await whole.commit(committed);
      const block = { path: `*.${extension}`, compression };
      const rest = await readOnce(folder, block, state);
      assert.deepEqual(rest.texts, lines.slice(committed));
      assert.deepEqual((await readOnce(folder, block, await rest.commit())).texts, []);
    }
  }
});

Deno.test("file source: an archive that is cut off, damaged or none is an error that names it", async () => {
  for (const [compression, extension, compress] of FORMATS) {
    const archive = compress(encode("some line\n".repeat(1000)));
    const spoilt = [
      archive.subarray(0, -4),
      new Uint8Array([...archive, 1, 2, 3, 4, 5]),
      encode("no archive at all\n"),
    ];
    for (const bytes of spoilt) {
      using folder = new TrialFolder();
      folder.write(`a.${extension}`, bytes);
      await assert.rejects(readOnce(folder, { path: "*", compression }), (error) => {
        assert.ok(error instanceof EventboatError);
        assert.equal(error.code, "source_failed");
        assert.ok(error.message.includes(folder.at(`a.${extension}`)), error.message);
        return true;
      });
    }
  }
});

Deno.test("file source: an archive that was read whole is not unpacked again", async () => {
  using folder = new TrialFolder();
  const archive = gzipSync("1\n2\n");
  folder.write("a.gz", archive);
  const block = { path: "a.gz", compression: "gzip" };
  const state = await (await readOnce(folder, block)).commit();
  // Unpacking this one would fail.
  folder.write("a.gz", archive.fill(0, 12));
  assert.deepEqual((await readOnce(folder, block, state)).texts, []);
});

Deno.test("file source: another archive under the same name and inode is read from its beginning", async () => {
  using folder = new TrialFolder();
  folder.write("a.gz", gzipSync("1\n2\n"));
  const first = await readOnce(folder, { path: "a.gz", compression: "gzip" });
  const state = await first.commit();
  folder.write("a.gz", gzipSync("one\ntwo\nthree\n"));
  const second = await readOnce(folder, { path: "a.gz", compression: "gzip" }, state);
  assert.deepEqual(second.texts, ["one", "two", "three"]);
});

const HERE = { pipeline: "p", node: "n", directory: "/pipelines", constants: {} };

function parse(block: Record<string, Data>) {
  const parsed = fileDefinition.parse(block);
  assert.ok(parsed.ok, JSON.stringify(parsed));
  return parsed.value;
}

Deno.test("fileSource: fills in its defaults", () => {
  assert.deepEqual(parse({ path: "a" }), {
    path: "a",
    encoding: "utf-8",
    poll_every_ms: 250,
    start_at: "beginning",
    on_eof: "tail",
    close_inactive_ms: 300_000,
    ignore_older_ms: 0,
    clean_removed: true,
    max_line_bytes: 262_144,
    oversize: "truncate",
    compression: "none",
  });
  const { multiline } = parse({ path: "a", multiline: { pattern: "x" } });
  assert.deepEqual(multiline, {
    pattern: "x",
    negate: false,
    match: "after",
    max_lines: 500,
    max_bytes: 1_048_576,
    timeout_ms: 2000,
  });
  assert.equal(fileDefinition.parse({ path: "a", poll_every_ms: 9 }).ok, false);
});

Deno.test("fileSource: refuses what its schema cannot", () => {
  const paths = (block: Record<string, Data>) =>
    (fileSource.check?.(parse(block), HERE) ?? []).map((issue) => issue.path.join("."));
  assert.deepEqual(paths({ path: "a/[b.log" }), ["path"]);
  assert.deepEqual(paths({ path: "a", encoding: "utf-7" }), ["encoding"]);
  assert.deepEqual(paths({ path: "a", compression: "gzip" }), ["compression"]);
  assert.deepEqual(paths({ path: "a", compression: "gzip", on_eof: "stop" }), []);
  assert.deepEqual(paths({ path: "a", multiline: { pattern: "(" } }), ["multiline.pattern"]);
  assert.deepEqual(paths({ path: "a", multiline: { pattern: "(a+)+$" } }), ["multiline.pattern"]);
  assert.deepEqual(paths({ path: "a", multiline: { pattern: "(?i)^error" } }), []);
});

Deno.test("fileSource: findings name their field and show what they found", () => {
  const [pattern] = fileSource.check?.(parse({ path: "a", multiline: { pattern: "([" } }), HERE) ?? [];
  assert.match(pattern?.message ?? "", /^multiline\.pattern must be .* found "\(\["$/);
  assert.doesNotMatch(pattern?.message ?? "", /Invalid regular expression/);
});

Deno.test("fileSource: needs to read where its files can lie, and no more", () => {
  const needs = (block: Record<string, Data>) => fileSource.needs?.(parse(block), HERE);
  assert.deepEqual(needs({ path: "in/*.log" }), { read: ["/pipelines/in"], sys: ["hostname"] });
  assert.deepEqual(needs({ path: "/var/log/{a,b}/x.log", host: "h" }), {
    read: ["/var/log/a/x.log", "/var/log/b/x.log"],
  });
});

Deno.test("fileSource: ends by itself where it stops at the end", () => {
  assert.equal(fileSource.ends?.(parse({ path: "a" })), false);
  assert.equal(fileSource.ends?.(parse({ path: "a", on_eof: "stop" })), true);
});

Deno.test({
  name: "file source: a path that the pipeline may not read fails it with the path",
  permissions: { read: [Deno.cwd()], write: false },
  fn: async () => {
    for (const on_eof of ["tail", "stop"]) {
      const trial = new SourceTrial(Deno.cwd(), { path: "/nowhere/*.log", on_eof });
      await assert.rejects(trial.ended, (error) => {
        assert.ok(error instanceof EventboatError);
        assert.equal(error.code, "permission");
        assert.match(error.message, /nowhere/);
        return true;
      });
    }
  },
});

Deno.test("file source: a state of another program is refused", async () => {
  using folder = new TrialFolder();
  for (const state of ["", "{}", '{"version":2,"files":[]}', '{"version":1,"files":[["x"]]}']) {
    const trial = new SourceTrial(folder.path, { path: "a" }, { state: encode(state) });
    await assert.rejects(trial.ended, { code: "source_failed" });
  }
});
