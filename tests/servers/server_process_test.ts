import assert from "node:assert/strict";
import { acceptsConnections, freePorts, ServerProcess } from "./server_process.ts";

/** A server whose whole work is a shell's. */
function shell(script: string, isReady: () => boolean = () => true): ServerProcess {
  return new ServerProcess({
    name: "shell",
    command: "/bin/sh",
    args: ["-c", script],
    isReady: () => Promise.resolve(isReady()),
  });
}

Deno.test("ServerProcess: a server that ends before it answers fails its start, with what it said", async () => {
  await using server = shell("echo on stdout; echo on stderr >&2; exit 3", () => false);
  await assert.rejects(server.start(), /code 3(.|\n)*on std(.|\n)*on std/);
  assert.equal(server.running, false);
});

Deno.test("ServerProcess: stops one that is paused, and starts it again", async () => {
  await using server = shell("echo started; exec sleep 60", () => server.output.includes("started"));
  await server.start();
  const { pid } = server;
  server.pause();
  await server.stop();
  assert.throws(() => server.pid);
  await server.start();
  assert.notEqual(server.pid, pid);
  await assert.rejects(server.start(), /runs already/);
});

Deno.test("ServerProcess: its end is noticed though a child of it holds its output", async () => {
  await using server = shell("sleep 3 & echo started; wait", () => server.output.includes("started"));
  await server.start();
  await server.kill();
  assert.equal(server.running, false);
});

Deno.test("freePorts: gives ports that differ and are free", async () => {
  const ports = freePorts(20);
  assert.equal(new Set(ports).size, 20);
  assert.deepEqual(await Promise.all(ports.map(acceptsConnections)), ports.map(() => false));
});
