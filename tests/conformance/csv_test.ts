/**
 * Owns the CSV conformance tests. A message is one record, so a file is cut into messages first, as the file source does
 * it; its columns are those that its header line names.
 */

import assert from "node:assert/strict";
import { type Codec, CodecError, Registry, testContext } from "../../src/plugin/mod.ts";
import { builtins } from "../../src/plugins/mod.ts";
import { conformanceSuite, judgeCases } from "./shared_data.ts";

interface FileCase {
  readonly id: string;
  readonly csv_b64: string;
  /** `policy`: each program may have its own; ours stand in {@linkcode POLICIES}. */
  readonly expect: "rows" | "error" | "policy";
  readonly rows: readonly { readonly [column: string]: string }[] | null;
}

const plugin = new Registry(builtins()).get("codec", "csv");

/** A codec of text columns, or undefined where they cannot be declared. */
function codecOf(names: readonly string[]): Codec | undefined {
  const parsed = plugin?.definition.parse({ columns: names.map((name) => ({ name, type: "string" })), header: true });
  if (plugin === undefined || parsed?.ok !== true) return undefined;
  if ((plugin.check?.(parsed.value, testContext()) ?? []).length > 0) return undefined;
  return plugin.create(parsed.value, testContext());
}

/** The messages of a file: its lines, joined where the codec says so. */
function messagesOf(text: string, codec: Codec): readonly string[] {
  const lines = text.split("\n").map((line) => line.endsWith("\r") ? line.slice(0, -1) : line);
  if (lines.at(-1) === "") lines.pop();
  const messages: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    if (isOpen) messages.push(`${messages.pop()}\n${line}`);
    else messages.push(line);
    isOpen = codec.framing?.isOpenAfter(line, isOpen) ?? false;
  }
  return messages;
}

/** What becomes of a file: its rows, `dead letter` in the place of a record that is none, or that it cannot be declared. */
function outcomeOf(bytes: Uint8Array): readonly unknown[] | "cannot be declared" {
  const text = new TextDecoder().decode(bytes);
  const [header = ""] = text.split(/\r?\n/, 1);
  const codec = codecOf(header.split(","));
  if (codec === undefined) return "cannot be declared";
  return messagesOf(text, codec).flatMap((message) => {
    try {
      const payload = codec.decode(new TextEncoder().encode(message));
      return payload === undefined ? [] : [payload];
    } catch (caught) {
      assert.ok(caught instanceof CodecError);
      return ["dead letter"];
    }
  });
}

/** What we do where every answer is right. */
const POLICIES: Readonly<Record<string, ReturnType<typeof outcomeOf>>> = {
  "csv/own/dup-header": "cannot be declared",
  "csv/own/empty-header-name": "cannot be declared",
  // Of one column, a blank line is an empty cell.
  "csv/own/blank-line-middle": [{ a: "1" }, { a: "" }, { a: "2" }],
  "csv/own/quote-inside-bare": ["dead letter"],
  "csv/own/ragged-long": ["dead letter"],
  "csv/own/nul": [{ a: "x\0y" }],
};

conformanceSuite("csv", (data) => {
  Deno.test("conformance csv: files give their rows, and what is wrong is a dead letter of its own", () =>
    judgeCases({
      cases: data.json<FileCase[]>("cases.json"),
      id: ({ id }) => id,
      check: ({ id, csv_b64: base64, expect, rows }) => {
        const outcome = outcomeOf(Uint8Array.fromBase64(base64));
        if (expect === "rows") assert.deepEqual(outcome, rows);
        else assert.deepEqual(outcome, expect === "policy" ? POLICIES[id] : ["dead letter"]);
      },
      exceptions: {},
    }));
});
