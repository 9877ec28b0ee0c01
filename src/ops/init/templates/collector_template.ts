/** Owns the template `collector`. */

import type { Template } from "../template.ts";

/** Follows log files and writes an object an entry. */
export const collectorTemplate: Template = {
  name: "collector",
  summary: "log files followed, stack traces joined, level and time read, one JSON object an entry out",
  files: (pipeline) => [
    { path: "pipeline.yaml", text: pipelineText(pipeline) },
    { path: "logs/app.log", text: LOG },
    { path: "tests/entries.yaml", text: SUITE },
    { path: "tests/fixtures/stack-trace.txt", text: STACK_TRACE },
  ],
};

function pipelineText(pipeline: string): string {
  return `# Log files, followed as they grow; an entry may have several lines. Runs until it is stopped.
apiVersion: eventboat/v1
kind: Pipeline
metadata:
  name: ${pipeline}

sources:
  logs:
    decoder: raw
    file:
      path: \${LOG_FOLDER:-logs}/*.log
      poll_every_ms: 500
      max_line_bytes: 65536
      multiline:
        # An entry begins with a date; whatever does not belongs to the entry before it.
        pattern: ^[0-9]{4}-[0-9]{2}-[0-9]{2}
        negate: true
        match: after
        timeout_ms: 1000

transforms:
  wrap:
    depends_on: logs
    fields:
      wrap_field: message
      from_meta: [file_path, host]

  # What an entry's first words say: "2026-03-02 06:00:20.505 WARN ...".
  level:
    depends_on: wrap
    script: |
      words = payload.message.split(None, 3)
      if len(words) > 2:
          payload.time = words[0] + "T" + words[1] + "Z"
          payload.level = words[2].lower()
      else:
          payload.level = "unknown"

sinks:
  # To send them to VictoriaLogs, put in place of "file":
  #   victorialogs: { url: "http://127.0.0.1:9428", stream_fields: [host, file_path], time_field: time, msg_field: message }
  entries:
    depends_on:
      - level: { when: payload.level != "debug" }
    file:
      path: out/entries.ndjson
      rotate: { max_bytes: 10000000 }
`;
}

const LOG = `2026-03-02 06:00:20.505 INFO  [checkout] request b1399deb done in 109 ms
2026-03-02 06:00:21.112 DEBUG [checkout] cache miss
2026-03-02 06:00:21.840 ERROR [checkout] payment failed
java.net.SocketTimeoutException: Read timed out
    at shop.payments.Client.send(Client.java:88)
2026-03-02 06:00:22.003 WARN  [checkout] retrying
`;

const SUITE = `suite: log entries
pipeline: ../pipeline.yaml
env: { LOG_FOLDER: logs }
cases:
  - name: an entry knows its level, its time and where it comes from
    inject:
      at: logs
      raw: "2026-03-02 06:00:20.505 WARN  [checkout] retrying"
      meta: { file_path: logs/app.log, host: node-1 }
    expect:
      capture:
        at: entries
        messages:
          - payload: { level: warn, time: "2026-03-02T06:00:20.505Z", file_path: logs/app.log, host: node-1 }
            payload.message: { matches: "retrying$" }

  - name: a stack trace is one entry
    inject: { at: logs, messages: [fixtures/stack-trace.txt] }
    expect:
      capture:
        at: entries
        messages: [{ payload.level: error, payload.message: { matches: "SocketTimeoutException" } }]

  - name: entries for debugging are filtered
    inject: { at: logs, raw: "2026-03-02 06:00:21.112 DEBUG [checkout] cache miss" }
    expect: { capture: { at: entries, count: 0 }, filtered: 1 }

  - name: an entry of one word has an unknown level
    inject: { at: logs, raw: started }
    expect: { capture: { at: entries, messages: [{ payload.level: unknown, payload.message: started }] } }
`;

const STACK_TRACE = `2026-03-02 06:00:21.840 ERROR [checkout] payment failed
java.net.SocketTimeoutException: Read timed out
    at shop.payments.Client.send(Client.java:88)
`;
