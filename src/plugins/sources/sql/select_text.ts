/** Owns the statements around a block's query: its columns, its rows after a key, its ties, its NULL keys. */

import { quoteName } from "../../shared/sql/identifier.ts";
import type { SqlColumn, SqlDriver, SqlValue, Statement } from "../../shared/sql/sql_connection.ts";
import { SqlError } from "../../shared/sql/sql_error.ts";
import type { KeyTuple, KeyValue } from "./key_tuple.ts";

/** Name of the subquery. */
const ALIAS = "eventboat_rows";
/** Texts that stand in a statement as they are: they are numbers and nothing else. */
const NUMBER_REGEXP = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** The query as it goes to the driver, its values bound. */
export interface BoundQuery {
  readonly driver: SqlDriver;
  readonly statement: Statement;
}

/** A result's key: its columns, as the database names them. */
export type Key = readonly SqlColumn[];

/** Builds statements around a query. */
export class SelectText {
  readonly #driver: SqlDriver;
  readonly #statement: Statement;

  constructor({ driver, statement }: BoundQuery) {
    this.#driver = driver;
    this.#statement = statement;
  }

  /** The query without rows: for its columns. */
  columns(): Statement {
    return { ...this.#statement, text: `select * ${this.#from()} limit 0` };
  }

  /** A row whose key holds a NULL, where there is one. */
  nullKeys(key: Key): Statement {
    const nulls = key.map(({ name }) => `${this.#name(name)} is null`).join(" or ");
    return { ...this.#statement, text: `select 1 ${this.#from()} where ${nulls} limit 1` };
  }

  /** Rows in the order of the key, after a key where one is given, older than the lag where one is given. */
  rows(key: Key, after: KeyTuple | undefined, options: RowOptions): Statement {
    const values = new Values(this.#driver, this.#statement.params);
    const conditions: string[] = [];
    if (after !== undefined) conditions.push(this.#after(key, after, values));
    const [first] = key;
    if (options.lagMs !== undefined && first !== undefined) conditions.push(this.#older(first, options.lagMs));
    const where = conditions.length === 0 ? "" : ` where ${conditions.map((each) => `(${each})`).join(" and ")}`;
    const order = key.map(({ name }) => this.#name(name)).join(", ");
    const limit = options.limit === undefined ? "" : ` limit ${options.limit}`;
    return { text: `select * ${this.#from()}${where} order by ${order}${limit}`, params: values.params };
  }

  /** How many rows have a key that equals both: none, unless the two are one to the database. */
  tie(key: Key, a: KeyTuple, b: KeyTuple): Statement {
    const values = new Values(this.#driver, this.#statement.params);
    const equal = (tuple: KeyTuple) =>
      key.map((column, i) => `${this.#name(column.name)} = ${values.add(tuple[i] ?? "", column)}`).join(" and ");
    return { text: `select count(*) ${this.#from()} where ${equal(a)} and ${equal(b)}`, params: values.params };
  }

  #from(): string {
    // A comment at the query's end ends with its line.
    return `from (${this.#statement.text}\n) as ${ALIAS}`;
  }

  #name(column: string): string {
    return `${ALIAS}.${quoteName(column, this.#driver)}`;
  }

  #after(key: Key, tuple: KeyTuple, values: Values): string {
    if (this.#driver === "mysql") return this.#afterByColumns(key, tuple, values);
    const names = key.map(({ name }) => this.#name(name)).join(", ");
    const places = key.map((column, i) => values.add(tuple[i] ?? "", column)).join(", ");
    return key.length === 1 ? `${names} > ${places}` : `(${names}) > (${places})`;
  }

  /** The same without a comparison of rows, for which MySQL would not use an index. */
  #afterByColumns(key: Key, tuple: KeyTuple, values: Values): string {
    const compare = (i: number, operator: string) => {
      const column = key[i];
      return column === undefined ? "" : `${this.#name(column.name)} ${operator} ${values.add(tuple[i] ?? "", column)}`;
    };
    if (key.length === 1) return compare(0, ">");
    const alternatives = [compare(0, ">=")];
    const cases = key.map((_, i) => {
      const equal = Array.from({ length: i }, (_each, j) => compare(j, "="));
      return `(${[...equal, compare(i, ">")].join(" and ")})`;
    });
    return `${alternatives.join("")} and (${cases.join(" or ")})`;
  }

  #older({ name, type, family }: SqlColumn, lagMs: number): string {
    const column = this.#name(name);
    if (this.#driver === "postgres") {
      const now = family === "timestamptz" ? "current_timestamp" : "localtimestamp";
      return `${column} <= ${now} - interval '${lagMs} milliseconds'`;
    }
    // What a `datetime` holds is in nobody's zone: the server's own is what its defaults write.
    const now = type === "timestamp" ? "now(6)" : "convert_tz(utc_timestamp(6), '+00:00', @@global.time_zone)";
    return `${column} <= ${now} - interval ${lagMs * 1000} microsecond`;
  }
}

/** What is wanted of rows. */
export interface RowOptions {
  readonly limit?: number;
  readonly lagMs?: number | undefined;
}

/** The values of a statement, in the order of their places. */
class Values {
  readonly params: SqlValue[];
  readonly #driver: SqlDriver;

  constructor(driver: SqlDriver, params: readonly SqlValue[]) {
    this.#driver = driver;
    this.params = [...params];
  }

  /** The text that stands for a value. */
  add(value: KeyValue, { type }: SqlColumn): string {
    if (this.#driver === "mysql") return this.#mysql(value, type);
    const place = this.params.push(value);
    return this.#driver === "postgres" ? `$${place}` : `?${place}`;
  }

  /** Compared with text, a number of MySQL becomes a double: so numbers stand in the statement. */
  #mysql(value: KeyValue, type: string): string {
    const isNumber = type === "integer" || type === "decimal" || type === "double";
    if (!isNumber || typeof value !== "string") {
      this.params.push(value);
      return "?";
    }
    if (!NUMBER_REGEXP.test(value)) throw new SqlError("final", `the key ${JSON.stringify(value)} is no number`);
    return type === "double" && !value.toLowerCase().includes("e") ? `${value}e0` : value;
  }
}
