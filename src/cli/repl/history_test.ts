import assert from "node:assert/strict";
import { join } from "node:path";
import { History, HISTORY_LINES_MAX, historyPath } from "./history.ts";

async function inFolder(body: (folder: string) => void): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "eventboat-history-" });
  try {
    body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("History: lines are there in the next console, blank ones and repetitions are not", () =>
  inFolder((folder) => {
    const path = join(folder, "state", "eventboat", "repl_history");
    const first = History.open(path);
    assert.deepEqual(first.lines, []);
    for (const line of ["a", "a", "", "  ", "b", "a"]) first.add(line);
    assert.deepEqual(History.open(path).lines, ["a", "b", "a"]);
    if (Deno.build.os !== "windows") assert.equal((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
  }));

Deno.test("History: the newest lines are kept", () =>
  inFolder((folder) => {
    const path = join(folder, "history");
    const lines = Array.from({ length: HISTORY_LINES_MAX + 5 }, (_, index) => `line ${index}`);
    Deno.writeTextFileSync(path, `${lines.join("\n")}\n`, { mode: 0o644 });
    const history = History.open(path);
    assert.deepEqual(history.lines, lines.slice(5));
    assert.equal(Deno.readTextFileSync(path).split("\n").length - 1, HISTORY_LINES_MAX);
    history.add("new");
    if (Deno.build.os !== "windows") assert.equal((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
  }));

Deno.test("History: a place that cannot be written, or none, is no trouble", () =>
  inFolder((folder) => {
    Deno.writeTextFileSync(join(folder, "file"), "");
    const history = History.open(join(folder, "file", "below", "history"));
    history.add("a");
    History.open(folder).add("a");
    const none = History.open(undefined);
    none.add("a");
    assert.deepEqual([history.lines, none.lines], [[], []]);
  }));

Deno.test({
  name: "historyPath: the variable, the state folder, the home; an empty variable means none",
  ignore: Deno.build.os === "windows",
  fn() {
    const path = (env: Record<string, string>) => historyPath((name) => env[name]);
    assert.equal(path({ EVENTBOAT_REPL_HISTORY: "/x/h", HOME: "/h" }), "/x/h");
    assert.equal(path({ EVENTBOAT_REPL_HISTORY: "", HOME: "/h" }), undefined);
    assert.equal(path({ XDG_STATE_HOME: "/s", HOME: "/h" }), "/s/eventboat/repl_history");
    assert.equal(path({ XDG_STATE_HOME: "relative", HOME: "/h" }), "/h/.local/state/eventboat/repl_history");
    assert.equal(path({}), undefined);
  },
});
