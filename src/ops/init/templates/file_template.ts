/** Owns the template `file`: the one that the first walk through the docs begins with. */

import type { Template } from "../template.ts";

/** From one file to two others, with a script and a condition. */
export const fileTemplate: Template = {
  name: "file",
  summary: "a file of JSON lines in, priced by a script, two files out; runs to the end of its input",
  files: (pipeline) => [
    { path: "pipeline.yaml", text: pipelineText(pipeline) },
    { path: "orders.ndjson", text: ORDERS },
    { path: "tests/orders.yaml", text: SUITE },
    { path: "tests/fixtures/order.json", text: ORDER },
  ],
};

function pipelineText(pipeline: string): string {
  return `# Orders in, priced orders out: from one file to another.
apiVersion: eventboat/v1
kind: Pipeline
metadata:
  name: ${pipeline}

run:
  mode: batch # without this and on_eof below, it waits for more lines and never ends

constants:
  large_from: 10000 # cents

sources:
  incoming:
    file:
      path: orders.ndjson
      on_eof: stop

transforms:
  price:
    depends_on: incoming
    script: |
      payload.total = payload.price * payload.quantity
      payload.size = "large" if payload.total >= constants.large_from else "small"

sinks:
  priced:
    depends_on: price
    file:
      path: out/priced.ndjson

  # Large orders are written a second time, for whoever looks at them first.
  large:
    depends_on:
      - price: { when: payload.size == "large" }
    file:
      path: out/large.ndjson
`;
}

const ORDERS = `{"order":"A-1","price":1300,"quantity":2}
{"order":"A-2","price":5000,"quantity":3}
{"order":"A-3","price":250,"quantity":8}
`;

const SUITE = `suite: orders
pipeline: ../pipeline.yaml
cases:
  - name: an order gets its total and its size
    inject: { at: incoming, messages: [fixtures/order.json] }
    expect:
      capture:
        - { at: priced, messages: [{ payload.order: A-1, payload.total: 2600, payload.size: small }] }
        - { at: large, count: 0 }

  - name: a large order goes to both
    inject: { at: incoming, messages: [{ order: A-2, price: 5000, quantity: 2 }] }
    expect:
      capture:
        - { at: priced, count: 1 }
        - { at: large, messages: [{ payload.total: 10000 }] }

  - name: a line that is no JSON is a dead letter
    inject: { at: incoming, raw: "{not json" }
    expect: { dlq: { count: 1, node: incoming, class: decode } }
`;

const ORDER = `{ "order": "A-1", "price": 1300, "quantity": 2 }
`;
