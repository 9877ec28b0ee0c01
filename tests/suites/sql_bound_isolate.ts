/** An isolate that runs a `sql` source under whatever permissions it was given, for tests: it answers a block once. */

import { systemClock } from "../../src/base/mod.ts";
import { EventboatError } from "../../src/diagnostics/mod.ts";
import { Registry, testContext } from "../../src/plugin/mod.ts";
import { builtins } from "../../src/plugins/mod.ts";

/** What came of a run: how many rows, or the error. */
export type BoundAnswer = { readonly rows: number } | { readonly code: string; readonly message: string };

async function answer(block: unknown): Promise<BoundAnswer> {
  const plugin = new Registry(builtins()).get("source", "sql");
  const parsed = plugin?.definition.parse(block);
  if (plugin === undefined || parsed?.ok !== true) throw new Error("no such source or block");
  const context = { ...testContext({ directory: "/nowhere" }), clock: systemClock };
  const source = plugin.create(parsed.value, context);
  let rows = 0;
  try {
    await source.init(undefined);
    await source.pull?.(({ ends }) => {
      rows += ends.length;
      return Promise.resolve();
    }, new AbortController().signal);
    return { rows };
  } catch (caught) {
    const { code, message } = EventboatError.from(caught);
    return { code, message };
  }
}

// A module Worker's global scope has these members; the compiler's library for it cannot be loaded beside ours.
const scope = self as unknown as {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(answer: BoundAnswer): void;
};
scope.onmessage = (event) => void answer(event.data).then((told) => scope.postMessage(told));
