import assert from "node:assert/strict";
import { EventboatError } from "../../../diagnostics/mod.ts";
import { type Sink, SinkError, testBatch, testContext } from "../../../plugin/mod.ts";
import { RudeServer } from "../../../../tests/suites/rude_server.ts";
import { answering } from "../../../../tests/suites/rudenesses.ts";
import { TEST_AUTHORITY } from "../../../../tests/suites/test_certificate.ts";
import { httpSink } from "./mod.ts";

const never = new AbortController().signal;

function sinkTo(url: string, tls: { readonly ca_file: string } | undefined, directory: string): Sink {
  const parsed = httpSink.definition.parse({ url, ...(tls === undefined ? {} : { tls }) });
  assert.ok(parsed.ok);
  const context = testContext({ directory });
  if (tls !== undefined) {
    assert.deepEqual(httpSink.needs?.(parsed.value, context).read, [`${directory}/${tls.ca_file}`]);
  }
  return httpSink.create(parsed.value, context);
}

Deno.test("http sink: trusts the authority that its block names, and nobody else", async () => {
  const directory = await Deno.makeTempDir({ prefix: "eventboat-tls-" });
  await Deno.writeTextFile(`${directory}/ca.pem`, TEST_AUTHORITY);
  await using server = await RudeServer.start(answering(), { tls: true });
  try {
    const trusting = sinkTo(server.url(), { ca_file: "ca.pem" }, directory);
    await trusting.write(testBatch(["1"]), never);
    await trusting.close();
    const other = sinkTo(server.url(), undefined, directory);
    await assert.rejects(
      async () => await other.write(testBatch(["1"]), never),
      (caught) => caught instanceof SinkError && caught.retryable && /certificate/i.test(caught.message),
    );
    await other.close();
    assert.throws(
      () => sinkTo(server.url(), { ca_file: "nowhere.pem" }, directory),
      (caught) => caught instanceof EventboatError && /nowhere\.pem/.test(caught.message),
    );
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});
