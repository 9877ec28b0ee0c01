/**
 * Owns documents that carry the findings they raise: a comment `#! code:column` at the end of a line says that this
 * line raises the code at that column, and no other finding is expected anywhere.
 */

import type { DiagnosticCode } from "../../diagnostics/mod.ts";
import { type LoadedPipeline, loadPipeline } from "../pipeline_loader.ts";

/** A document that raises a code, and a similar one that does not. */
export interface LoaderFixture {
  readonly code: DiagnosticCode;
  /** Annotated text. */
  readonly raises: string;
  /** Raises nothing. */
  readonly clean: string;
  /** Annotated overlay of both. */
  readonly overlay?: string;
  /** Overlay of the clean document. */
  readonly cleanOverlay?: string;
}

/** `code file:line:column`, as findings are compared. */
export type ExpectedFinding = string;

const ANNOTATION_REGEXP = /#! (.*)$/;

const HEAD = `apiVersion: eventboat/v1
kind: Pipeline
metadata: { name: demo }
`;

const SECTIONS: readonly (readonly [RegExp, string])[] = [
  [/^sources:/m, "sources:\n  in:\n    cron: { expression: '* * * * *' }\n"],
  [/^sinks:/m, "sinks:\n  out:\n    depends_on: in\n    drop: {}\n"],
];

/** A whole document around the sections given: head, and the sections that are required, unless they are given. */
export function pipeline(sections: string): string {
  const head = sections.includes("apiVersion:") || sections.includes("metadata:") ? "" : HEAD;
  const rest = SECTIONS.filter(([written]) => !written.test(sections)).map(([, text]) => text);
  return head + sections + rest.join("");
}

/** The findings that an annotated text says it raises. */
export function expectedFindings(file: string, text: string): readonly ExpectedFinding[] {
  return text.split("\n").flatMap((line, index) => {
    const annotations = ANNOTATION_REGEXP.exec(line)?.[1]?.split(" ") ?? [];
    return annotations.map((annotation) => {
      const [code, column] = annotation.split(":");
      return `${code} ${file}:${index + 1}:${column}`;
    });
  });
}

/** The findings of a loaded pipeline, in the same form. */
export function foundFindings(loaded: LoadedPipeline): readonly ExpectedFinding[] {
  return loaded.diagnostics.map(({ code, file, line, column }) => `${code} ${file}:${line}:${column}`);
}

/** Files that fixtures read, by absolute path. */
export const FIXTURE_FILES: { readonly [path: string]: string } = {
  "/pipelines/good.json": manifest({}),
  "/pipelines/no.json": "{",
  "/pipelines/list.json": "[]",
  "/pipelines/nameless.json": manifest({ name: undefined }),
  "/pipelines/extra.json": manifest({ author: "me" }),
  "/pipelines/sink.json": manifest({ kind: "sink" }),
  "/pipelines/zero.json": manifest({ version: 0 }),
  "/pipelines/objekt.json": manifest({ config_schema: { type: "objekt" } }),
};

function manifest(changes: { readonly [field: string]: unknown }): string {
  const fields = { kind: "source", name: "ticker", version: 1, capabilities: [], config_schema: { type: "object" } };
  return JSON.stringify({ ...fields, ...changes });
}

/** What stands in the environment of fixtures. */
export const FIXTURE_ENVIRONMENT: { readonly [name: string]: string } = {
  COUNT: "7",
  YES: "true",
  EMPTY: "",
  WORD: "eu",
  REFERENCE: "${COUNT} ${constants.a}",
};

/** Loads a text as fixtures are loaded. */
export function loadFixture(text: string | Uint8Array, overlay?: string): LoadedPipeline {
  return loadPipeline({
    file: "p.yaml",
    text,
    directory: "/pipelines",
    env: (name) => FIXTURE_ENVIRONMENT[name],
    readFile: (path) => {
      const content = FIXTURE_FILES[path];
      if (content === undefined) throw new Deno.errors.NotFound("no such file");
      return new TextEncoder().encode(content);
    },
    codecNames: ["json", "raw", "csv"],
    ...(overlay === undefined ? {} : { overlays: [{ file: "o.yaml", text: overlay }] }),
  });
}
