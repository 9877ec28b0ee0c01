/** Owns the context that tests give a plugin: time and chance held, what is logged and counted kept. */

import { HeldClock, type Random } from "../../base/mod.ts";
import type { Counter, Gauge, Histogram, Labels, LogFields, Logger, LogLevel, Meter } from "../../telemetry/mod.ts";
import type { PluginContext } from "../context.ts";

/** A line that a plugin logged. */
export interface LoggedLine {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

/** A {@linkcode PluginContext} that can be looked into. */
export interface TestContext extends PluginContext {
  readonly clock: HeldClock;
  readonly log: CollectingLogger;
  readonly meter: CollectingMeter;
}

/** What of a {@linkcode TestContext} may be chosen. */
export type TestContextOptions = Partial<Omit<PluginContext, "clock" | "log" | "meter">> & {
  readonly clock?: HeldClock;
};

/** Makes a context: pipeline `test`, node `node`, nothing declared, durability `power`. */
export function testContext(options: TestContextOptions = {}): TestContext {
  return {
    pipeline: "test",
    node: "node",
    directory: Deno.cwd(),
    constants: {},
    parameters: {},
    random: countedRandom(),
    durability: "power",
    batchMessagesMax: 2000,
    ...options,
    clock: options.clock ?? new HeldClock(),
    log: new CollectingLogger(),
    meter: new CollectingMeter(),
  };
}

/** Randomness that is the same in every run: bytes count up, fractions lie in the middle. */
export function countedRandom(): Random {
  let next = 0;
  return {
    bytes(array) {
      for (let i = 0; i < array.length; i++) array[i] = next++;
      return array;
    },
    fraction: () => 0.5,
  };
}

/** Keeps what is logged. */
export class CollectingLogger implements Logger {
  readonly lines: LoggedLine[] = [];
  readonly #watchers = new Set<() => void>();

  log(level: LogLevel, message: string, fields: LogFields = {}): void {
    this.lines.push({ level, message, fields });
    for (const watcher of this.#watchers) watcher();
  }

  /** Resolves once `count` lines have been logged. */
  async untilLines(count: number): Promise<void> {
    while (this.lines.length < count) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#watchers.add(resolve);
      await promise;
      this.#watchers.delete(resolve);
    }
  }
}

/** Keeps what is counted. */
export class CollectingMeter implements Meter {
  readonly #values = new Map<string, number>();

  /** What a counter has come to or a gauge stands at, by the instrument's name whatever its labels; 0 when unused. */
  value(name: string): number {
    return this.#values.get(name) ?? 0;
  }

  counter(name: string, _labels?: Labels): Counter {
    return { add: (count) => void this.#values.set(name, this.value(name) + count) };
  }

  histogram(name: string, _labels?: Labels): Histogram {
    return { record: () => void this.#values.set(name, this.value(name) + 1) };
  }

  gauge(name: string, _labels?: Labels): Gauge {
    return { set: (value) => void this.#values.set(name, value) };
  }
}
