/** Owns the template `sql`. */

import type { Template } from "../template.ts";

/** What changed in a table of PostgreSQL since the last run, to a file. */
export const sqlTemplate: Template = {
  name: "sql",
  summary: "rows of PostgreSQL that changed since the last run, written as JSON lines; for a scheduler",
  files: (pipeline) => [
    { path: "pipeline.yaml", text: pipelineText(pipeline) },
    { path: "tests/rows.yaml", text: SUITE },
    { path: "tests/fixtures/row.json", text: ROW },
  ],
};

function pipelineText(pipeline: string): string {
  return `# Every run reads what has changed in a table since the last one, and ends. Try it on a table such as
#   CREATE TABLE orders (id bigint PRIMARY KEY, customer text, cents bigint, state text, updated_at timestamptz);
apiVersion: eventboat/v1
kind: Pipeline
metadata:
  name: ${pipeline}

run:
  mode: batch # continuous: look for changes again and again, and never end

sources:
  changed_orders:
    sql:
      driver: postgres
      dsn: \${DATABASE_URL:-postgres://eventboat@127.0.0.1:5432/shop}
      query: SELECT id, customer, cents, state, updated_at FROM orders
      # What is committed is remembered by its time of change. A transaction that began earlier may commit later: rows
      # are read once they are older than any of them takes.
      cursor: { column: updated_at, lag: 5s }
      # Many rows may have changed at once: the id tells them apart.
      pagination: { key: [updated_at, id], page_size: 1000 }

transforms:
  mark:
    depends_on: changed_orders
    script: |
      payload.is_open = payload.state not in ["sent", "returned"]

sinks:
  # To write them into a table, put in place of "file":
  #   sql: { driver: postgres, dsn: "\${WAREHOUSE_URL}", table: order_facts, mode: upsert, key: id }
  changes:
    depends_on:
      - mark: { when: payload.state != "draft" }
    file:
      path: out/changes.ndjson
`;
}

const SUITE = `suite: changed rows
pipeline: ../pipeline.yaml
env: { DATABASE_URL: "postgres://eventboat@127.0.0.1:5432/shop" }
cases:
  - name: a row is marked as open
    inject: { at: changed_orders, messages: [fixtures/row.json] }
    expect: { capture: { at: changes, messages: [{ payload.id: 40001, payload.is_open: true }] } }

  - name: what was sent is open no more
    inject: { at: changed_orders, messages: [{ id: 1, state: sent }, { id: 2, state: returned }] }
    expect: { capture: { at: changes, messages: [{ payload.is_open: false }, { payload.is_open: false }] } }

  - name: drafts are filtered
    inject: { at: changed_orders, messages: [{ id: 1, state: draft }] }
    expect: { capture: { at: changes, count: 0 }, filtered: 1 }

  - name: large amounts keep every digit
    inject: { at: changed_orders, messages: [{ id: 1, state: paid, cents: 9007199254740993 }] }
    expect: { capture: { at: changes, messages: [{ payload.cents: 9007199254740993 }] } }

  - name: a row without a state is a dead letter of the script
    inject: { at: changed_orders, messages: [{ id: 1 }] }
    expect: { dlq: { count: 1, node: mark, class: runtime, reason_contains: state } }
`;

const ROW = `{ "id": 40001, "customer": "Aiko", "cents": 129900, "state": "paid", "updated_at": "2026-03-02T06:00:00Z" }
`;
