/** Owns the template `webhook`. */

import type { Template } from "../template.ts";

/** From HTTP requests to files, each event to the file of its type. */
export const webhookTemplate: Template = {
  name: "webhook",
  summary: "HTTP requests in, answered once they are durable, reshaped and sorted into files",
  files: (pipeline) => [
    { path: "pipeline.yaml", text: pipelineText(pipeline) },
    { path: "tests/events.yaml", text: SUITE },
    { path: "tests/fixtures/delivered.json", text: DELIVERED },
  ],
};

function pipelineText(pipeline: string): string {
  return `# Webhooks in: each is answered with 202 once it is on disk here. Try it with
#   curl -i -d @tests/fixtures/delivered.json http://127.0.0.1:8080/hooks
apiVersion: eventboat/v1
kind: Pipeline
metadata:
  name: ${pipeline}

sources:
  hooks:
    http_server:
      listen: \${LISTEN:-127.0.0.1:8080}
      path: /hooks
      # Set WEBHOOK_TOKEN, and requests have to bring it: "Authorization: Bearer ...". Do so before others can reach it.
      token: \${?WEBHOOK_TOKEN}

transforms:
  shape:
    depends_on: hooks
    script: |
      payload.parcel = payload.data["parcel"]
      payload.event = payload.event.lower()
      remove(payload, "data")

sinks:
  # To hand them on instead, put in place of "file":
  #   http: { url: "https://example.org/parcels", idempotency_header: Idempotency-Key }
  parcels:
    depends_on:
      - shape: { when: payload.event.startsWith("parcel.") }
    order_key: payload.parcel
    file:
      path: out/parcels.ndjson

  others:
    depends_on:
      - shape: { when: '!payload.event.startsWith("parcel.")' }
    file:
      path: out/others.ndjson
`;
}

const SUITE = `suite: events
pipeline: ../pipeline.yaml
env: { LISTEN: "127.0.0.1:8080", WEBHOOK_TOKEN: not-a-secret }
cases:
  - name: an event of a parcel is reshaped
    inject: { at: hooks, messages: [fixtures/delivered.json] }
    expect:
      capture:
        - at: parcels
          messages:
            - payload: { event: parcel.delivered, parcel: P-17 }
              payload.data: { absent: true }
        - { at: others, count: 0 }

  - name: another event goes to the others
    inject: { at: hooks, messages: [{ event: Depot.Closed, data: { parcel: none } }] }
    expect:
      capture:
        - { at: parcels, count: 0 }
        - { at: others, messages: [{ payload.event: depot.closed }] }

  - name: an event without data is a dead letter of the script
    inject: { at: hooks, messages: [{ event: parcel.created }] }
    expect: { dlq: { count: 1, node: shape, class: runtime } }

  - name: a body that is no JSON is a dead letter, though its sender got a 202
    inject: { at: hooks, raw: '{"event": ' }
    expect: { dlq: { count: 1, node: hooks, class: decode } }
`;

const DELIVERED = `{ "event": "parcel.delivered", "data": { "parcel": "P-17" } }
`;
