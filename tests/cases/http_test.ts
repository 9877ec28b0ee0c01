/** Cases of HTTP, through the whole program: answers of a receiver, bodies of a sender, connections that break. */

import assert from "node:assert/strict";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { freePort, programTest, RunningProgram, runProgram } from "../e2e/program.ts";
import { SqliteBackend, StoreLock, storePath } from "../../src/store/mod.ts";
import { HttpPeer } from "../suites/http_peer.ts";
import { RawPeer } from "../suites/raw_peer.ts";

const MEGABYTE = 1024 * 1024;
/** What a small body becomes when it is decoded. */
const BOMB_BYTES = 200 * MEGABYTE;

/** A batch of numbered lines, one request each unless `http` says otherwise. */
function writeSender(folder: string, url: string, lines: number, delivery: string, http = ""): void {
  const text = Array.from({ length: lines }, (_, n) => `{"n":${n}}\n`);
  Deno.writeTextFileSync(`${folder}/in.ndjson`, text.join(""));
  Deno.writeTextFileSync(
    `${folder}/pipeline.yaml`,
    `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: sender }
run: { mode: batch }
sources:
  in: { file: { path: in.ndjson, on_eof: stop } }
sinks:
  out: { depends_on: [in: { delivery: ${delivery} }], http: { url: "${url}"${http} } }
`,
  );
}

function writeReceiver(folder: string): string {
  const port = freePort();
  Deno.writeTextFileSync(
    `${folder}/pipeline.yaml`,
    `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: receiver }
sources:
  in: { http_server: { listen: "127.0.0.1:${port}" } }
sinks:
  out: { depends_on: in, drop: {} }
`,
  );
  return `http://127.0.0.1:${port}/`;
}

/** Connections that a receiver breaks off, and how long it is not there afterwards. */
const BROKEN_OFF = 3;
const DOWN_MS = 500;

const RUN = ["run", "--json", "--config", "pipeline.yaml"];

async function letters(folder: string): Promise<readonly { n: number; class: string; reason: string }[]> {
  const path = storePath(`${folder}/data`, "sender");
  using _lock = await StoreLock.take(path);
  const store = new SqliteBackend(path, { durability: "process" });
  try {
    return store.readDeadLetters({ limit: 100 }).map((letter) => ({
      n: JSON.parse(new TextDecoder().decode(letter.bytes)).n,
      class: letter.class,
      reason: letter.reason,
    }));
  } finally {
    store.close();
  }
}

for (const status of [401, 403]) {
  programTest(`case K02: a message answered ${status} is a dead letter, not a delivered one`, async (subject, cwd) => {
    const taken: number[] = [];
    await using peer = new HttpPeer(({ body }) => {
      const { n } = JSON.parse(body);
      if (n === 1) return new Response("not you", { status });
      taken.push(n);
      return new Response();
    });
    writeSender(cwd, peer.url(), 3, "{ retries: 2, backoff: constant }");
    const { code, stdout, stderr } = await runProgram(subject, RUN, { cwd });
    assert.equal(code, 1, stderr);
    assert.equal(JSON.parse(stdout).status, "partial");
    assert.deepEqual(taken, [0, 2]);
    const [letter, ...more] = await letters(cwd);
    assert.deepEqual([letter?.n, letter?.class, more.length], [1, "delivery", 0]);
    assert.match(letter?.reason ?? "", new RegExp(`answered ${status}: not you`));
  });
}

programTest("case H03: 429 is retried until it is over, 400 is a dead letter", async (subject, cwd) => {
  const taken: number[] = [];
  let busy = 2;
  await using peer = new HttpPeer(({ body }) => {
    const { n } = JSON.parse(body);
    if (n === 1 && busy-- > 0) return new Response("busy", { status: 429 });
    if (n === 2) return new Response("nonsense", { status: 400 });
    taken.push(n);
    return new Response();
  });
  writeSender(cwd, peer.url(), 4, "{ retries: 5, backoff: constant }");
  const { stdout } = await runProgram(subject, RUN, { cwd });
  assert.equal(JSON.parse(stdout).status, "partial");
  assert.deepEqual([...taken].sort(), [0, 1, 3]);
  assert.deepEqual((await letters(cwd)).map(({ n }) => n), [2]);
});

programTest("case H03: statuses inside a 200 answer are those of the messages", async (subject, cwd) => {
  const taken: number[] = [];
  await using peer = new HttpPeer(({ body }) => {
    const numbers = body.trimEnd().split("\n").map((line) => Number(JSON.parse(line).n));
    const items = numbers.map((n) => {
      const status = n === 2 ? 400 : n === 1 && numbers.length > 1 ? 429 : 201;
      if (status === 201) taken.push(n);
      return { create: { status } };
    });
    return Response.json({ errors: true, items });
  });
  const bulk = ', body: ndjson, bulk_answer: { status: "*.status" }';
  writeSender(cwd, peer.url(), 4, "{ retries: 5, backoff: constant }", bulk);
  const { stdout } = await runProgram(subject, RUN, { cwd });
  assert.equal(JSON.parse(stdout).status, "partial");
  assert.deepEqual([...taken].sort(), [0, 1, 3]);
  assert.deepEqual((await letters(cwd)).map(({ n }) => n), [2]);
});

programTest(
  "case H04: a receiver that breaks off, is down, then closes each connection gets everything",
  async (subject, cwd) => {
    const port = freePort();
    const lines = 40;
    writeSender(cwd, `http://127.0.0.1:${port}/`, lines, "{ retries: 1000, backoff: constant }");
    using listener = Deno.listen({ hostname: "127.0.0.1", port });
    await using program = new RunningProgram(subject, RUN, { cwd });
    for (let i = 0; i < BROKEN_OFF; i++) {
      using connection = await listener.accept();
      await connection.read(new Uint8Array(1));
    }
    listener.close();
    await new Promise((resolve) => setTimeout(resolve, DOWN_MS));
    const taken = new Set<number>();
    await using _peer = new HttpPeer(({ body }) => {
      taken.add(JSON.parse(body).n);
      return new Response(null, { headers: { connection: "close" } });
    }, port);
    const { code, stdout, stderr } = await program.finished();
    assert.equal(code, 0, stderr);
    assert.ok(JSON.parse(stdout).counts.retries >= BROKEN_OFF, stdout);
    assert.equal(taken.size, lines);
  },
);

/** The most memory that a process has held, in bytes. */
function peakBytes(pid: number): number {
  const kilobytes = /VmHWM:\s+(\d+) kB/.exec(Deno.readTextFileSync(`/proc/${pid}/status`))?.[1];
  return Number(kilobytes) * 1024;
}

programTest("case H01: a body that grows to hundreds of megabytes is refused and never held", async (subject, cwd) => {
  const url = writeReceiver(cwd);
  await using program = new RunningProgram(subject, RUN, { cwd });
  await program.until("it serves", async () => (await post(url, "{}"))?.status === 202 ? true : undefined);
  const before = Deno.build.os === "linux" ? peakBytes(program.pid) : 0;
  const zeros = new Uint8Array(BOMB_BYTES);
  const gzip = new Uint8Array(gzipSync(zeros));
  const bombs = [
    { coding: "gzip", body: gzip },
    { coding: "zstd", body: new Uint8Array(zstdCompressSync(zeros)) },
    { coding: "gzip, gzip", body: new Uint8Array(gzipSync(gzip)) },
  ];
  for (const { coding, body } of bombs) {
    // A stream is sent in chunks, without a length.
    const stream = new Blob([body]).stream();
    const answer = await post(url, stream, { "content-encoding": coding });
    assert.equal(answer?.status, 413, coding);
  }
  assert.equal((await post(url, "{}"))?.status, 202);
  if (Deno.build.os === "linux") {
    const grown = peakBytes(program.pid) - before;
    assert.ok(grown < 100 * MEGABYTE, `it grew by ${Math.round(grown / MEGABYTE)} MB`);
  }
});

async function post(url: string, body: BodyInit, headers: Record<string, string> = {}) {
  try {
    const response = await fetch(url, { method: "POST", body, headers });
    await response.body?.cancel();
    return { status: response.status };
  } catch {
    return undefined;
  }
}

programTest("case C07: requests without bodies and broken ones leave no memory behind", async (subject, cwd) => {
  if (Deno.build.os !== "linux") return;
  const url = writeReceiver(cwd);
  const port = Number(new URL(url).port);
  await using program = new RunningProgram(subject, RUN, { cwd });
  await program.until("it serves", async () => (await post(url, "{}"))?.status === 202 ? true : undefined);
  const round = async () => {
    for (let i = 0; i < 3_000; i += 50) {
      await Promise.all(Array.from({ length: 50 }, () => post(url, "")));
    }
    for (let i = 0; i < 200; i++) {
      using peer = await RawPeer.connect(port);
      await peer.send("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\nbroken off");
    }
  };
  // The heap grows for a while before the collector keeps it where it is.
  for (let i = 0; i < 8; i++) await round();
  const before = await settledBytes(program.pid);
  for (let i = 0; i < 4; i++) await round();
  const grown = await settledBytes(program.pid) - before;
  // Twelve thousand requests: a leak of a few kilobytes each would show.
  assert.ok(grown < 40 * MEGABYTE, `it grew by ${Math.round(grown / MEGABYTE)} MB`);
});

/** What a process holds at the least within half a second: the collector comes and goes. */
async function settledBytes(pid: number): Promise<number> {
  let least = Infinity;
  for (let i = 0; i < 10; i++) {
    const kilobytes = /VmRSS:\s+(\d+) kB/.exec(Deno.readTextFileSync(`/proc/${pid}/status`))?.[1];
    least = Math.min(least, Number(kilobytes) * 1024);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return least;
}
