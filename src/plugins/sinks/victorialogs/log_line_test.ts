import assert from "node:assert/strict";
import { serverTest } from "../../../../tests/servers/installed.ts";
import { VictoriaLogsServer } from "../../../../tests/servers/victorialogs_server.ts";
import { lineTrouble } from "./log_line.ts";

const RULES = { lineBytesMax: 262_144, fieldsMax: 1000, timeFields: ["ts", "when"] };
const encoder = new TextEncoder();

function fields(count: number): string {
  return `{${Array.from({ length: count }, (_, n) => `"f${n}":${n}`).join(",")}}`;
}

function sized(bytes: number): string {
  return `{"m":"${"x".repeat(bytes - 8)}"}`;
}

const nested = (depth: number) => '{"a":'.repeat(depth - 1) + '{"b":1}' + "}".repeat(depth - 1);
const listed = (depth: number) => `{"a":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;

/** Lines, and whether the server keeps them; the test below asks it. */
const LINES: readonly (readonly [line: string, kept: boolean])[] = [
  ['{"m":"a"}', true],
  [' \t{"m":"b"} ', true],
  ['{"m":"c","n":{"o":[1,{"p":null}]}}', true],
  ['{"m":"\\ud800"}', true],
  ["[1]", false],
  ['"text"', false],
  ["17", false],
  ["null", false],
  ["not json", false],
  ['{"m":1', false],
  ['{"m":1} {"m":2}', false],
  ["{}", true],
  ['{"m":null}', true],
  [sized(262_143), true],
  [sized(262_144), false],
  [fields(1000), true],
  [fields(1001), false],
  [nested(290), true],
  [nested(400), false],
  [listed(290), true],
  [listed(400), false],
  [`{"${"k".repeat(129)}":1,"m":1}`, true],
  [`{"a":{"${"k".repeat(127)}":1,"m":1}}`, true],
  [`{"m":1,"ts":{"${"k".repeat(200)}":1}}`, false],
  ...["2026-01-02T03:04:05Z", "2026-01-02 03:04:05", "2026-01-02T03:04:05.123456789+02:00", "2026-01-02T03:04:05+0200"]
    .map((time): [string, boolean] => [JSON.stringify({ ts: time, m: "time" }), true]),
  ...[
    "",
    "0",
    "-",
    "1767225600",
    "1767225600.123",
    "1767225600123",
    "1767225600123456789",
    "1.7672256e9",
    "+1767225600",
  ]
    .map((time): [string, boolean] => [JSON.stringify({ ts: time, m: "unix" }), true]),
  ...[1767225600, 1767225600.123, 1767225600123, 0, -1, null].map((
    time,
  ): [string, boolean] => [JSON.stringify({ ts: time, m: "number" }), true]),
  ...["yesterday", "2026-01-02", "2026-01-02T03:04", "2026-1-2T3:4:5Z", "1600-01-01T00:00:00Z", "2300-01-01T00:00:00Z"]
    .map((time): [string, boolean] => [JSON.stringify({ ts: time, m: "no time" }), false]),
  ...["2026-01-02T03:04:05.1234567890Z", "2026-01-02T03:04:05+25:00", "2026-01-02T03:04:05+2", "17672256OO", "1.5e"]
    .map((time): [string, boolean] => [JSON.stringify({ ts: time, m: "no time" }), false]),
  ...["99999999999999999999", "1.5e0", "1e19", "1e-3", "1767225600.1234567890123456", " 1767225600"]
    .map((time): [string, boolean] => [JSON.stringify({ ts: time, m: "no time" }), false]),
  ...[true, [1], [], "x"].map((time): [string, boolean] => [JSON.stringify({ ts: time, m: "no time" }), false]),
  ['{"when":"soon","m":1}', false],
  ['{"ts":"1767225600","when":"soon","m":1}', true],
  ['{"ts":{"x":1},"when":"soon","m":1}', false],
];

/** A line for messages: its beginning. */
const shown = (line: string) => line.slice(0, 80);

Deno.test("lineTrouble: tells what the server would drop, and nothing else", () => {
  for (const [line, kept] of LINES) {
    const trouble = lineTrouble(encoder.encode(line), RULES);
    assert.equal(trouble === undefined, kept, `${shown(line)}: ${trouble}`);
  }
});

Deno.test("lineTrouble: what is no JSON is none, though the server reads some of it", () => {
  for (const line of ['{"m":01}', "{'m':1}", '{"m":1,}', '{"m":NaN}']) {
    assert.match(lineTrouble(encoder.encode(line), RULES) ?? "", /no JSON/);
  }
});

Deno.test("lineTrouble: bytes that are no UTF-8 and lines that are two are none", () => {
  assert.match(lineTrouble(Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d), RULES) ?? "", /no JSON/);
  assert.match(lineTrouble(encoder.encode('{"a":1,\n"b":2}'), RULES) ?? "", /newline/);
});

Deno.test("lineTrouble: names the limits it was given", () => {
  const rules = { ...RULES, lineBytesMax: 10, fieldsMax: 1 };
  assert.equal(lineTrouble(encoder.encode('{"a":12}'), rules), undefined);
  assert.match(lineTrouble(encoder.encode('{"a":1234}'), rules) ?? "", /at most 10 bytes with its newline, .* 11$/);
  assert.match(lineTrouble(encoder.encode('{"a":1,"b":2}'), { ...rules, lineBytesMax: 99 }) ?? "", /most 1 fields/);
});

Deno.test("lineTrouble: hundreds of thousands of brackets are told, not tried", () => {
  assert.match(lineTrouble(encoder.encode(nested(30_000)), { ...RULES, lineBytesMax: 2_000_000 }) ?? "", /nested/);
});

serverTest("lineTrouble: a real server keeps and drops the same lines", ["victorialogs"], async () => {
  await using server = await VictoriaLogsServer.start();
  const url = server.url("/insert/jsonline?_stream_fields=s&_time_field=ts,when&_msg_field=m");
  for (const [index, [line]] of LINES.entries()) {
    const response = await fetch(`${url}&extra_fields=line%3D${index}`, {
      method: "POST",
      headers: { "content-type": "application/stream+json" },
      // A line that is kept beside it: alone, a bad one would be answered with an error.
      body: `${line}\n{"m":"beside","beside":"yes"}\n`,
    });
    await response.body?.cancel();
    assert.equal(response.status, 200, shown(line));
  }
  const found = new Set((await server.query('* -beside:="yes"')).map((row) => Number(row["line"])));
  const otherwise = LINES.filter(([, kept], index) => found.has(index) !== kept).map(([line]) => shown(line));
  assert.deepEqual(otherwise, []);
});
