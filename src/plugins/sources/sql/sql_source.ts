/** Owns the `sql` source: its registration, its rules, and the life of one instance. */

import { EventboatError } from "../../../diagnostics/mod.ts";
import {
  type Emit,
  patientEmit,
  type PluginContext,
  type PluginIssue,
  type Source,
  type SourcePlugin,
} from "../../../plugin/mod.ts";
import { EmissionWindow } from "../../shared/emission_window.ts";
import type { Dsn } from "../../shared/sql/dsn.ts";
import { DsnError } from "../../shared/sql/dsn_error.ts";
import { checkDsn, needsOfDsn, readDsn } from "../../shared/sql/fields.ts";
import { SqlText } from "../../shared/sql/sql_text.ts";
import type { Position } from "./key_tuple.ts";
import { Link, PATIENCE_MS } from "./link.ts";
import type { BoundQuery } from "./select_text.ts";
import { keyColumns, sqlDefinition, type SqlSourceConfig } from "./sql_config.ts";
import { SqlReader } from "./sql_reader.ts";
import { decodeState, encodeState, queryHash } from "./sql_state.ts";
import { Watermark } from "./watermark.ts";

/** Reads the rows of a query: once, or again and again from behind the last one. */
export const sqlSource: SourcePlugin<typeof sqlDefinition.schema> = {
  kind: "source",
  name: "sql",
  version: 1,
  summary: "Reads the rows of a query from PostgreSQL, MySQL, MariaDB or SQLite, once or as they come.",
  capabilities: ["pull", "finite"],
  meta: [{
    key: "sql_cursor",
    type: "string",
    description:
      "The row's `cursor.column` as the database writes it; of a page, its last row's. Absent without `cursor`.",
  }],
  definition: sqlDefinition,
  check: (config, context) => [...checkDsn(config, context), ...checkQuery(config), ...checkKey(config)],
  needs: needsOfDsn,
  create: (config, context) => new SqlSource(config, context),
};

function checkQuery({ driver, query, args }: SqlSourceConfig): readonly PluginIssue[] {
  const text = new SqlText(query, driver);
  const issues: PluginIssue[] = text.issues.map(({ offset, message }) => ({
    path: ["query"],
    offset,
    message: `query ${message}`,
  }));
  if (text.normal === "") issues.push({ path: ["query"], message: "query must hold a SELECT, and it holds none" });
  const { names } = text;
  for (const name of names) {
    if (Object.hasOwn(args, name)) continue;
    issues.push({ path: ["query"], message: `query has a placeholder :${name}, and args has no ${name}` });
  }
  for (const name of Object.keys(args)) {
    if (names.includes(name)) continue;
    issues.push({ path: ["args", name], message: `args has ${name}, and query has no placeholder :${name}` });
  }
  return issues;
}

function checkKey(config: SqlSourceConfig): readonly PluginIssue[] {
  const { cursor, driver } = config;
  const issues: PluginIssue[] = [];
  const key = keyColumns(config);
  if (cursor !== undefined && key[0] !== cursor.column) {
    issues.push({
      path: ["pagination", "key"],
      message: `pagination.key must begin with cursor.column, ${cursor.column}, found ${key[0]}`,
      hint: `for example [${[cursor.column, ...key].join(", ")}]`,
    });
  }
  if (new Set(key).size !== key.length) {
    issues.push({ path: ["pagination", "key"], message: "pagination.key names a column twice" });
  }
  if (cursor?.lag !== undefined && driver === "sqlite") {
    issues.push({
      path: ["cursor", "lag"],
      message: "cursor.lag is of no use with sqlite: one transaction writes at a time, and commits before the next",
    });
  }
  return issues;
}

class SqlSource implements Source {
  readonly #config: SqlSourceConfig;
  readonly #context: PluginContext;
  readonly #dsn: Dsn;
  readonly #watermark = new Watermark();
  readonly #hash: string;
  #start: Position | undefined;
  /** Whether places are worth keeping: without a cursor a run that is to end reads everything. */
  #remembers: boolean;

  constructor(config: SqlSourceConfig, context: PluginContext) {
    this.#config = config;
    this.#context = context;
    const dsn = readDsn(config, context);
    if (dsn instanceof DsnError) {
      throw new EventboatError("config_invalid", `dsn ${dsn.message}`, { node: context.node });
    }
    this.#dsn = dsn;
    this.#hash = queryHash(config);
    this.#remembers = config.cursor !== undefined;
  }

  init(state: Uint8Array | undefined): void {
    if (state === undefined) return;
    const { query, position } = decodeState(state);
    if (query === this.#hash) {
      this.#start = position;
      return;
    }
    const { log } = this.#context;
    log.log("warn", "the query, its driver or its key have changed since the saved position; reading from the start");
  }

  run(emit: Emit, signal: AbortSignal): Promise<void> {
    this.#remembers ||= keyColumns(this.#config).length > 0;
    return this.#work(emit, signal, "poll");
  }

  pull(emit: Emit, signal: AbortSignal): Promise<void> {
    return this.#work(emit, signal, "once");
  }

  commit(throughSrcSeq: number): Uint8Array<ArrayBuffer> | undefined {
    const position = this.#watermark.commit(throughSrcSeq);
    if (position === undefined || !this.#remembers) return undefined;
    return encodeState({ query: this.#hash, position });
  }

  // A connection lives as long as the run.
  close(): void {}

  async #work(emit: Emit, signal: AbortSignal, mode: "once" | "poll"): Promise<void> {
    const config = this.#config;
    const context = this.#context;
    const window = new EmissionWindow(patientEmit(emit, context, signal));
    const parts = { config, query: boundQuery(config), window, watermark: this.#watermark, context };
    const reader = new SqlReader(parts, this.#remembers ? this.#start : undefined);
    try {
      await using link = new Link(this.#dsn, context, mode === "once" ? PATIENCE_MS : Infinity);
      do {
        await link.through((connection, progressed) => reader.round(connection, signal, progressed), signal);
        if (mode === "once") break;
        await window.rest(config.poll_every_ms, context.clock, signal);
      } while (!signal.aborted);
      await window.settle();
    } catch (caught) {
      // What is still under way belongs to this source, and its refusal came before whatever else went wrong.
      const refusal = await window.settle().then(() => undefined, (error: EventboatError) => error);
      const failure = refusal ?? EventboatError.from(caught, "source_failed", { node: context.node });
      if (failure.code !== "shutdown") throw failure;
    }
  }
}

/** The query in the driver's own placeholders, with its values. */
function boundQuery({ driver, query, args }: SqlSourceConfig): BoundQuery {
  const { text, names } = new SqlText(query, driver).positional(driver);
  return { driver, statement: { text, params: names.map((name) => args[name] ?? null) } };
}
