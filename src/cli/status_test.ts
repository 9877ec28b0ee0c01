import assert from "node:assert/strict";
import { runExitCode } from "./exit_code.ts";
import { StatusLine } from "./status_line.ts";
import { RateMeter } from "./status_text.ts";
import { StopSignals } from "./stop_signals.ts";

const ERASE = "\r\x1b[2K";

function terminal(errIsTerminal: boolean) {
  const written: string[] = [];
  return { written, errIsTerminal, errColumns: () => 20, err: (text: string) => void written.push(text) };
}

Deno.test("StatusLine: log lines go above the line, which is put back", () => {
  const screen = terminal(true);
  {
    using line = new StatusLine(screen);
    line.log("before\n");
    line.show("in 1");
    line.log("between\n");
    line.show("in 2");
  }
  assert.deepEqual(screen.written, ["before\n", `${ERASE}in 1`, `${ERASE}between\nin 1`, `${ERASE}in 2`, ERASE]);
});

Deno.test("StatusLine: is cut to the terminal's width, since a wrapped line cannot be erased", () => {
  const screen = terminal(true);
  using line = new StatusLine(screen);
  line.show("x".repeat(50));
  assert.equal(screen.written[0], ERASE + "x".repeat(19));
});

Deno.test("StatusLine: shows nothing where stderr is no terminal", () => {
  const screen = terminal(false);
  using line = new StatusLine(screen);
  line.show("in 1");
  line.log("a log line\n");
  line.clear();
  assert.deepEqual(screen.written, ["a log line\n"]);
});

Deno.test("RateMeter: tells the rate over its window, not over the whole run", () => {
  const meter = new RateMeter(2000);
  assert.equal(meter.rate(0, 0), 0);
  assert.equal(meter.rate(1000, 500), 500);
  assert.equal(meter.rate(2000, 1000), 500);
  assert.equal(meter.rate(3000, 1000), 250);
  assert.equal(meter.rate(4000, 1000), 0);
});

Deno.test("RateMeter: a count that falls is another run's, whose rate begins at nothing", () => {
  const meter = new RateMeter(2000);
  meter.rate(0, 0);
  meter.rate(1000, 500);
  assert.equal(meter.rate(1500, 3), 0);
  assert.equal(meter.rate(2500, 10), 7);
});

Deno.test("StopSignals: the first request aborts, the second ends the program, none is heard after disposal", () => {
  let callback: ((name: string, code: number) => void) | undefined;
  let removed = false;
  const exits: number[] = [];
  class Ended extends Error {}
  {
    using stop = new StopSignals({
      onStop(given) {
        callback = given;
        return () => {
          removed = true;
        };
      },
      exit(code) {
        exits.push(code);
        throw new Ended();
      },
    });
    callback?.("SIGTERM", 143);
    assert.equal(stop.signal.aborted, true);
    assert.deepEqual(exits, []);
    assert.throws(() => callback?.("SIGINT", 130), Ended);
    assert.deepEqual(exits, [130]);
  }
  assert.equal(removed, true);
});

Deno.test("runExitCode: follows the table of runners", () => {
  const statuses = ["completed", "partial", "failed", "interrupted"] as const;
  const codes = (mode: "batch" | "continuous") => statuses.map((status) => runExitCode({ mode, status }));
  assert.deepEqual(codes("batch"), [0, 1, 1, 1]);
  assert.deepEqual(codes("continuous"), [0, 0, 1, 0]);
});
