import assert from "node:assert/strict";
import { HttpPeer } from "../suites/http_peer.ts";
import { WeakLink } from "./weak_link.ts";

/** Whether a fetch through the link gets its answer, and how much of it. */
async function fetched(link: WeakLink, timeoutMs = 5_000): Promise<string> {
  // One client a fetch: connections that an earlier one kept open would be reused.
  using client = Deno.createHttpClient({});
  try {
    const response = await fetch(`http://127.0.0.1:${link.port}/`, { client, signal: AbortSignal.timeout(timeoutMs) });
    return `${(await response.text()).length}`;
  } catch (caught) {
    assert.ok(caught instanceof Error);
    return caught.name;
  }
}

Deno.test("WeakLink: passes, cuts in the middle, refuses, stalls and recovers", async () => {
  await using server = new HttpPeer(() => new Response("x".repeat(100_000)));
  await using link = new WeakLink(server.port);
  assert.equal(await fetched(link), "100000");
  link.cutAfter(50_000);
  assert.equal(await fetched(link), "TypeError");
  assert.equal(await fetched(link), "100000");
  await link.refuse();
  assert.equal(await fetched(link), "TypeError");
  link.accept();
  assert.equal(await fetched(link), "100000");
  link.stall();
  assert.equal(await fetched(link, 50), "TimeoutError");
  link.resume();
  assert.equal(await fetched(link), "100000");
});
