/** Owns the built-in source `cron`: a message whenever a schedule is due. */

import type { Static } from "typebox";
import { type CronSchedule, parseCron, slept } from "../../../base/mod.ts";
import { EventboatError } from "../../../diagnostics/mod.ts";
import { single } from "../../../message/mod.ts";
import {
  type Emit,
  patientEmit,
  type PluginContext,
  type PluginIssue,
  type Source,
  type SourcePlugin,
} from "../../../plugin/mod.ts";
import { block, data, define, text } from "../../../schema/mod.ts";
import { encodeJson } from "../../shared/json_encoder.ts";

/**
 * Longest single sleep. Between two the wall clock is read again: it may have been set, the machine may have been
 * asleep, and timers do not go beyond 25 days.
 */
const SLEEP_MAX_MS = 60_000;

const schema = block({
  expression: text({
    description: "Five fields: minute, hour, day of month, month, day of week.",
    examples: ["*/5 * * * *", "30 2 * * mon-fri"],
  }),
  payload: data({ description: "Payload of each message, emitted as JSON.", default: {} }),
  timezone: text({
    description: "IANA time zone the expression is read in.",
    default: "UTC",
    examples: ["Europe/Berlin"],
  }),
});

type CronConfig = Static<typeof schema>;

/** Emits a message whenever a schedule is due. What was due while the pipeline did not run is not made up for. */
export const cronSource: SourcePlugin<typeof schema> = {
  kind: "source",
  name: "cron",
  version: 1,
  summary: "Emits a message whenever a cron expression is due.",
  capabilities: [],
  meta: [{ key: "cron_scheduled_for", type: "string", description: "When the message was due, RFC 3339 in UTC." }],
  definition: define(schema),
  check(config): readonly PluginIssue[] {
    const parsed = parseCron(config.expression, config.timezone);
    if (parsed.ok) return [];
    return parsed.problems.map(({ part, message, hint }) => ({ path: [part], message: `${part} ${message}`, hint }));
  },
  create: (config, context) => new CronSource(config, context),
};

class CronSource implements Source {
  readonly #schedule: CronSchedule;
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #context: PluginContext;

  constructor(config: CronConfig, context: PluginContext) {
    const parsed = parseCron(config.expression, config.timezone);
    if (!parsed.ok) {
      const told = parsed.problems.map(({ part, message }) => `${part} ${message}`).join("; ");
      throw new EventboatError("config_invalid", told, { node: context.node });
    }
    this.#schedule = parsed.schedule;
    this.#bytes = encodeJson(config.payload);
    this.#context = context;
  }

  init(): void {}

  async run(emit: Emit, signal: AbortSignal): Promise<void> {
    const { clock } = this.#context;
    const patient = patientEmit(emit, this.#context, signal);
    let lastMs = clock.now();
    for (let srcSeq = 1;; srcSeq++) {
      const dueMs = this.#schedule.next(lastMs);
      if (dueMs === undefined || !await this.#sleptUntil(dueMs, signal)) return;
      const meta = { cron_scheduled_for: new Date(dueMs).toISOString() };
      try {
        await patient(single({ bytes: this.#bytes, meta }, srcSeq));
      } catch (caught) {
        const error = EventboatError.from(caught, "source_failed");
        if (error.code === "shutdown") return;
        throw error;
      }
      // A clock that was set back does not make the same tick due again; ticks that passed meanwhile are not made up.
      lastMs = Math.max(dueMs, clock.now());
    }
  }

  // The schedule knows what is next: there is no state to come back to.
  commit(): undefined {}

  close(): void {}

  /** Sleeps until the wall clock shows `dueMs`; false when the signal aborts before. */
  async #sleptUntil(dueMs: number, signal: AbortSignal): Promise<boolean> {
    const { clock } = this.#context;
    for (let leftMs = dueMs - clock.now(); leftMs > 0; leftMs = dueMs - clock.now()) {
      if (!await slept(clock, Math.min(leftMs, SLEEP_MAX_MS), signal)) return false;
    }
    return !signal.aborted;
  }
}
