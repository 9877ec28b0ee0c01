/** Owns the template `kafka`. */

import type { Template } from "../template.ts";

/** From a topic of Kafka to another one, the keys kept. */
export const kafkaTemplate: Template = {
  name: "kafka",
  summary: "a topic of Kafka in, through a script, another topic out with the same keys",
  files: (pipeline) => [
    { path: "pipeline.yaml", text: pipelineText(pipeline) },
    { path: "tests/payments.yaml", text: SUITE },
    { path: "tests/fixtures/payment.json", text: PAYMENT },
  ],
};

function pipelineText(pipeline: string): string {
  return `# From one topic to another. Offsets are committed once what they stand for has been written, never before.
apiVersion: eventboat/v1
kind: Pipeline
metadata:
  name: ${pipeline}

constants:
  review_from: 1000

sources:
  payments:
    kafka:
      brokers: ["\${KAFKA_BROKER:-127.0.0.1:9092}"]
      topics: [payments]
      group_id: ${pipeline}
      start_at: earliest

transforms:
  judge:
    depends_on:
      # The deletion of a key has no payload, and nothing to judge.
      - payments: { when: payload != null }
    script: |
      payload.review = payload.amount >= constants.review_from

sinks:
  judged:
    depends_on:
      # Brokers that are down are waited for.
      - judge: { delivery: { retries: 1000, backoff: exponential } }
    kafka:
      brokers: ["\${KAFKA_BROKER:-127.0.0.1:9092}"]
      topic: judged-payments
      key: meta.kafka_key
`;
}

const SUITE = `suite: payments
pipeline: ../pipeline.yaml
env: { KAFKA_BROKER: "127.0.0.1:9092" }
cases:
  - name: a payment is judged and keeps its key
    inject: { at: payments, messages: [fixtures/payment.json], meta: { kafka_key: customer-7 } }
    expect:
      capture:
        at: judged
        messages: [{ payload: { id: pay-1, amount: 250, review: false }, meta.kafka_key: customer-7 }]

  - name: a large one is reviewed, and payments stay in their order
    inject: { at: payments, messages: [{ amount: 1000 }, { amount: 999 }], meta: { kafka_key: customer-7 } }
    expect: { capture: { at: judged, messages: [{ payload.review: true }, { payload.review: false }] } }

  - name: the deletion of a key is filtered
    inject: { at: payments, messages: [null], meta: { kafka_key: customer-7 } }
    expect: { capture: { at: judged, count: 0 }, filtered: 1 }

  - name: a payment without an amount is a dead letter of the script
    inject: { at: payments, messages: [{ id: pay-2 }], meta: { kafka_key: customer-7 } }
    expect: { dlq: { count: 1, node: judge, class: runtime, reason_contains: amount } }
`;

const PAYMENT = `{ "id": "pay-1", "amount": 250 }
`;
