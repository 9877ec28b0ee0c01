/** Owns a batch as statements: which message each writes, and which messages none can. */

import { reasonOf } from "../../../diagnostics/mod.ts";
import type { CelFunction, Environment } from "../../../languages/mod.ts";
import { type PartialFailure, type SinkBatch, SinkError } from "../../../plugin/mod.ts";
import { foundInPayload, isMapping } from "../../shared/found_in_payload.ts";
import type { SqlDriver, SqlRow, SqlValue, Statement } from "../../shared/sql/sql_connection.ts";
import { type PositionalText, SqlText } from "../../shared/sql/sql_text.ts";
import { CellError, cellValue, plainValue } from "./cell_value.ts";
import { insertRows, type InsertTarget } from "./insert_text.ts";
import { compileBindings, type SqlSinkConfig } from "./sql_sink_config.ts";
import type { TableColumn, TableColumns } from "./table_columns.ts";

/** What a batch becomes. */
export interface BatchStatements {
  readonly statements: readonly Statement[];
  /** The messages of the statement at the same place, by their index in the batch. */
  readonly messages: readonly (readonly number[])[];
  /** Messages that cannot be written, whatever the database says. */
  readonly failures: readonly PartialFailure[];
}

/** One message as a row. */
interface Row {
  readonly index: number;
  readonly columns: readonly TableColumn[];
  readonly cells: SqlRow;
  /** Tells rows of one key from each other; undefined where there is no key. */
  readonly key: string | undefined;
}

/** Rows of a table, from the members of payloads. */
export function tableStatements(batch: SinkBatch, target: InsertTarget, columns: TableColumns): BatchStatements {
  const failures: PartialFailure[] = [];
  const rows: Row[] = [];
  for (let index = 0; index < batch.size; index++) {
    try {
      rows.push(rowOf(index, batch.message(index).payload, target, columns));
    } catch (caught) {
      failures.push({ index, error: refusal(target.table, caught) });
    }
  }
  const statements: Statement[] = [];
  const messages: number[][] = [];
  for (const group of groups(rows, target.driver)) {
    const written = insertRows(target, group[0]?.columns ?? [], group.map(({ cells }) => cells));
    let from = 0;
    for (const each of written) {
      statements.push(each.statement);
      messages.push(group.slice(from, from + each.rows).map(({ index }) => index));
      from += each.rows;
    }
  }
  return { statements, messages, failures };
}

/** Neighbours that one statement can write: the same columns, and in PostgreSQL no key twice. */
function* groups(rows: readonly Row[], driver: SqlDriver): Generator<readonly Row[]> {
  let group: Row[] = [];
  const keys = new Set<string>();
  for (const row of rows) {
    const before = group[0];
    const isAlike = before === undefined || (before.columns.length === row.columns.length &&
      before.columns.every((column, i) => column === row.columns[i]));
    const isRepeated = driver === "postgres" && row.key !== undefined && keys.has(row.key);
    if (!isAlike || isRepeated) {
      yield group;
      group = [];
      keys.clear();
    }
    group.push(row);
    if (row.key !== undefined) keys.add(row.key);
  }
  if (group.length > 0) yield group;
}

function rowOf(index: number, payload: unknown, target: InsertTarget, table: TableColumns): Row {
  if (!isMapping(payload)) throw new CellError(`the payload must be a mapping, found ${foundInPayload(payload)}`);
  const values = new Map<TableColumn, unknown>();
  for (const [name, value] of Object.entries(payload)) {
    const column = table.find(name);
    if (column === undefined) throw new UnknownColumn(name);
    values.set(column, value);
  }
  if (values.size === 0) throw new CellError("the payload names no column");
  // In the table's order, so that the order of members makes no difference.
  const columns = table.all.filter((column) => values.has(column));
  const cells = columns.map((column) => cellOf(column, values.get(column), target.driver));
  return { index, columns, cells, key: keyOf(target.key, columns, cells) };
}

function cellOf({ name, kind }: TableColumn, value: unknown, driver: SqlDriver): SqlValue {
  try {
    return cellValue(value, kind, driver);
  } catch (caught) {
    throw caught instanceof CellError ? new CellError(`${name} ${caught.message}`) : caught;
  }
}

function keyOf(key: readonly string[], columns: readonly TableColumn[], cells: SqlRow): string | undefined {
  if (key.length === 0) return undefined;
  const values = key.map((name) => {
    const cell = cells[columns.findIndex((column) => column.name === name)] ?? null;
    if (cell === null) throw new CellError(`the key's ${name} is absent or null`);
    return String(cell);
  });
  return JSON.stringify(values);
}

/** A member that is no column: perhaps one of a table that has changed since it was looked at. */
export class UnknownColumn extends CellError {
  constructor(name: string) {
    super(`it has no column ${JSON.stringify(name)}`);
  }
}

/** A statement with its values, from expressions on messages. */
export class BoundStatement {
  readonly #driver: SqlDriver;
  readonly #text: PositionalText;
  readonly #values: readonly { readonly name: string; readonly evaluate: CelFunction }[];

  /** @throws {SinkError} where an expression does not compile, which `check` has told */
  constructor(config: SqlSinkConfig, statement: string, environment: Environment) {
    this.#driver = config.driver;
    this.#text = new SqlText(statement, config.driver).positional(config.driver);
    const compiled = compileBindings(config);
    this.#values = this.#text.names.map((name) => {
      const binding = compiled.get(name);
      if (binding === undefined || !binding.ok) throw new SinkError(`cannot bind :${name}`, { retryable: false });
      return { name, evaluate: binding.program.bind(environment) };
    });
  }

  /** A statement a message. */
  statements(batch: SinkBatch): BatchStatements {
    const failures: PartialFailure[] = [];
    const statements: Statement[] = [];
    const messages: number[][] = [];
    for (let index = 0; index < batch.size; index++) {
      try {
        const params = this.#values.map(({ name, evaluate }) => this.#value(name, evaluate(batch.message(index))));
        statements.push({ text: this.#text.text, params });
        messages.push([index]);
      } catch (caught) {
        failures.push({ index, error: refusal("the statement", caught) });
      }
    }
    return { statements, messages, failures };
  }

  #value(name: string, value: unknown): SqlValue {
    try {
      return plainValue(value instanceof Map ? Object.fromEntries(value) : value, this.#driver);
    } catch (caught) {
      throw caught instanceof CellError ? new CellError(`:${name} ${caught.message}`) : caught;
    }
  }
}

function refusal(what: string, caught: unknown): SinkError {
  return new SinkError(`cannot write a message to ${what}: ${reasonOf(caught)}`, { cause: caught, retryable: false });
}
