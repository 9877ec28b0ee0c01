/** Owns the databases of the examples: invented customers and orders as SQL text, drawn from a seed. */

import { SeededDraw } from "./seeded_draw.ts";

const CUSTOMERS = ["Lindqvist & Co", "Carvalho Lda", "Tanaka Shoten", "Zieliński sp. z o.o.", "Okafor Stores"] as const;
const STATES = ["placed", "paid", "paid", "packed", "sent", "sent", "sent", "returned"] as const;
const FIRST_ORDER = 40_001;
const DAY_START_MS = Date.UTC(2026, 2, 2, 6, 0, 0);

/** A shop: customers, and orders that change while they are handled. Some of them change in the same second. */
export function shopSql(orders: number, seed: number): string {
  const draw = new SeededDraw(seed);
  const customers = CUSTOMERS.map((name, i) => `(${i + 1}, '${name}', '${draw.pick(["eu", "us", "apac"])}')`);
  let ms = DAY_START_MS;
  const rows = Array.from({ length: orders }, (_, i) => {
    // Four in ten share their second with the one before: only the id tells them apart.
    if (!draw.chance(0.4)) ms += draw.integer(1, 240) * 1000;
    const at = new Date(ms).toISOString().slice(0, 19).replace("T", " ");
    const customer = draw.integer(1, CUSTOMERS.length);
    return `(${FIRST_ORDER + i}, ${customer}, ${draw.integer(2, 900) * 50}, '${draw.pick(STATES)}', '${at}')`;
  });
  return [
    "create table customers (id integer primary key, name text not null, region text not null);",
    "create table orders (",
    "  id integer primary key,",
    "  customer_id integer not null references customers (id),",
    "  cents integer not null,",
    "  state text not null,",
    "  updated_at text not null default current_timestamp",
    ");",
    "create index orders_by_change on orders (updated_at, id);",
    `insert into customers values\n  ${customers.join(",\n  ")};`,
    `insert into orders values\n  ${rows.join(",\n  ")};`,
    "",
  ].join("\n");
}
