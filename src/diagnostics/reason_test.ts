import assert from "node:assert/strict";
import { EventboatError } from "./eventboat_error.ts";
import { reasonOf, wholeReasonOf } from "./reason.ts";

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (caught) {
    return caught;
  }
  throw new Error("nothing was thrown");
}

Deno.test("reasonOf: a system error is told in words, without the platform's text and the path", () => {
  const folder = Deno.makeTempDirSync();
  try {
    const missing = thrownBy(() => Deno.openSync(`${folder}/missing`));
    assert.equal(reasonOf(missing), "there is no such file or folder");
    assert.equal(wholeReasonOf(missing), `open '${folder}/missing': there is no such file or folder`);
    assert.equal(reasonOf(thrownBy(() => Deno.openSync(folder, { write: true }))), "it is a folder");
    const unknown = Object.assign(new Error("Odd thing (os error 999): open '/p'"), { code: "EODD" });
    assert.equal(reasonOf(unknown), "Odd thing");
  } finally {
    Deno.removeSync(folder);
  }
});

Deno.test("reasonOf: an address in use is told as such", () => {
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const again = thrownBy(() => Deno.listen({ hostname: "127.0.0.1", port: taken.addr.port }));
  assert.equal(reasonOf(again), "another process listens there");
});

Deno.test("reasonOf: a refused permission says what was refused, and no flag of the platform", () => {
  const write = new Deno.errors.NotCapable('Requires write access to "/a, b", run again with the --allow-write flag');
  assert.equal(reasonOf(write), "the pipeline has no write access to it");
  assert.equal(EventboatError.from(write).message, 'the pipeline has no write access to "/a, b"');
  assert.equal(EventboatError.from(write).code, "permission");
  const all = new Deno.errors.NotCapable('Requires all access to "/proc/x", specify the required permissions');
  assert.equal(reasonOf(all), "it is closed to every pipeline");
  assert.equal(wholeReasonOf(all), '"/proc/x" is closed to every pipeline');
  assert.equal(reasonOf(new Deno.errors.NotCapable("?")), "the pipeline has no permission for it");
});

Deno.test("reasonOf: what is no system error is told as it tells itself", () => {
  assert.equal(reasonOf(new Error("odd")), "odd");
  assert.equal(wholeReasonOf(new RangeError("odd")), "odd");
  assert.equal(reasonOf("odd"), "odd");
});
