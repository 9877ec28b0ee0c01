import assert from "node:assert/strict";
import { RawPeer } from "./raw_peer.ts";
import { type Rudeness, RudeServer } from "./rude_server.ts";
import {
  answering,
  brokenChunks,
  dripping,
  endlessBody,
  endlessHead,
  gzipBomb,
  halfClosing,
  hangingUp,
  inTurn,
  nonsense,
  resetting,
  silent,
  truncated,
} from "./rudenesses.ts";
import { TEST_AUTHORITY } from "./test_certificate.ts";

const UNPACKED_BYTES = 10_000_000;

/** What a fetch of the server comes to: the status and the body, or `failed`. */
async function fetched(behave: Rudeness): Promise<string> {
  await using server = await RudeServer.start(behave);
  try {
    const response = await fetch(server.url(), { method: "POST", body: "x".repeat(100_000) });
    return `${response.status} ${await response.text()}`;
  } catch (caught) {
    assert.ok(caught instanceof TypeError);
    return "failed";
  }
}

Deno.test("RudeServer: a client sees each rudeness as it was meant", async () => {
  assert.equal(await fetched(answering(503, { "retry-after": "1" }, "later")), "503 later");
  assert.equal(await fetched(dripping(1)), "200 slow");
  assert.equal((await fetched(gzipBomb(UNPACKED_BYTES))).length >= UNPACKED_BYTES, true);
  const failing = { hangingUp, resetting, nonsense, endlessHead };
  for (const [name, rudeness] of Object.entries(failing)) assert.equal(await fetched(rudeness()), "failed", name);
  assert.equal(await fetched(resetting("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhal")), "failed");
  assert.equal(await fetched(truncated(10, "short")), "failed");
  assert.equal(await fetched(halfClosing(10, "short")), "failed");
  assert.equal(await fetched(brokenChunks("short")), "failed");
});

Deno.test("RudeServer: a client that gives up ends what would go on for ever", async () => {
  await using server = await RudeServer.start(endlessBody());
  const response = await fetch(server.url());
  await response.body?.cancel();
  server.behave = silent();
  await assert.rejects(fetch(server.url(), { signal: AbortSignal.timeout(20) }), { name: "TimeoutError" });
});

Deno.test("RudeServer: a reset is one, before and after a part of the answer", async () => {
  for (const part of ["", "HTTP/1.1 200 OK\r\n"]) {
    await using server = await RudeServer.start(resetting(part));
    using peer = await RawPeer.connect(server.port);
    await peer.send("POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\nx");
    await assert.rejects(peer.untilClosed(), Deno.errors.ConnectionReset);
  }
});

Deno.test("RudeServer: behaviours in turn, over TLS, on a connection that is kept", async () => {
  await using server = await RudeServer.start(inTurn(answering(500), answering(200)), { tls: true });
  using client = Deno.createHttpClient({ caCerts: [TEST_AUTHORITY] });
  for (const status of [500, 200, 200]) {
    const response = await fetch(server.url(), { client });
    await response.body?.cancel();
    assert.equal(response.status, status);
  }
  assert.equal(server.connections, 1);
});
