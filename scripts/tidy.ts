/** Owns the checks that no linter makes: lengths, paths of one machine, links that lead nowhere, the change log. */

import { measureFunctions } from "./function_lengths.ts";
import type { ProjectFile } from "./project_files.ts";
import type { TidyException } from "./tidy_exceptions.ts";

/** Lines a file may have. */
export const FILE_LINES_MAX = 400;

/** Lines a function may have. */
export const FUNCTION_LINES_MAX = 70;

const MEASURED_REGEXP = /^(?:mod\.ts|(?:src|tests|scripts)\/.*\.ts)$/;
const UNMEASURED_FOLDER_REGEXP = /\/(?:golden|fixtures)\//;
const MACHINE_PATH_REGEXP = /(?<![\w.])\/(?:work|root)\/|\/home\/(?!user\b)[a-z]|[/\\]Users[/\\][A-Za-z]/;
const LINT_IGNORE_REGEXP = /deno-lint-ignore(?:-file)?(?![^\n]* -- \S)/;
const MARKDOWN_LINK_REGEXP = /\[[^\]\n]*\]\(([^)\s]+)\)/g;
const OUTSIDE_LINK_REGEXP = /^(?:[a-z]+:|#)/;

/** What is too long, and which exceptions do not fit any more. Needs `deno test`, where the parser is at hand. */
export function lengthFindings(files: readonly ProjectFile[], exceptions: readonly TidyException[]): string[] {
  const findings: string[] = [];
  const left = new Map(exceptions.map((exception) => [exceptionKey(exception.path, exception.function), exception]));
  const judge = (path: string, name: string | undefined, lines: number, linesMax: number) => {
    const key = exceptionKey(path, name);
    const exception = left.get(key);
    if (lines <= linesMax) return;
    left.delete(key);
    if (exception === undefined) {
      findings.push(`${key} has ${lines} lines, more than ${linesMax}: cut it where the idea has a seam`);
    } else if (lines > exception.lines) {
      findings.push(`${key} grew from ${exception.lines} to ${lines} lines: an exception may only shrink`);
    } else if (lines < exception.lines) {
      findings.push(`${key} shrank to ${lines} lines: lower its entry in scripts/tidy_exceptions.ts`);
    }
  };
  for (const { path, text } of files) {
    if (!MEASURED_REGEXP.test(path) || UNMEASURED_FOLDER_REGEXP.test(path)) continue;
    judge(path, undefined, countLines(text), FILE_LINES_MAX);
    for (const { name, lines } of measureFunctions(path, text)) judge(path, name, lines, FUNCTION_LINES_MAX);
  }
  for (const key of left.keys()) findings.push(`${key} needs no exception any more: remove its entry`);
  return findings;
}

/** Paths that only one machine has, lint comments without a reason, and links to files that are not there. */
export function textFindings(files: readonly ProjectFile[]): string[] {
  const findings: string[] = [];
  const paths = knownPaths(files);
  for (const { path, text } of files) {
    for (const [index, line] of text.split("\n").entries()) {
      const place = `${path}:${index + 1}`;
      const machine = MACHINE_PATH_REGEXP.exec(line)?.[0];
      if (machine !== undefined) findings.push(`${place} holds the path of one machine ("${machine}")`);
      if (path.endsWith(".ts") && LINT_IGNORE_REGEXP.test(line) && !path.startsWith("scripts/tidy")) {
        findings.push(`${place} switches a lint rule off without saying why: end it with " -- reason"`);
      }
    }
    if (!path.endsWith(".md")) continue;
    for (const link of deadLinks(path, text, paths)) findings.push(`${path} links to ${link}, which is not there`);
  }
  return findings;
}

/** What the change log lacks. */
export function changelogFindings(files: readonly ProjectFile[]): string[] {
  const text = files.find(({ path }) => path === "CHANGELOG.md")?.text;
  if (text === undefined) return ["CHANGELOG.md is missing"];
  return text.includes("\n## [Unreleased]\n") ? [] : ['CHANGELOG.md has no section "## [Unreleased]"'];
}

function exceptionKey(path: string, name: string | undefined): string {
  return name === undefined ? path : `${path}#${name}`;
}

/** Lines as an editor counts them: a newline at the end begins none. */
function countLines(text: string): number {
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

/** All files and the folders they stand in. */
function knownPaths(files: readonly ProjectFile[]): Set<string> {
  const known = new Set<string>();
  for (const { path } of files) {
    const parts = path.split("/");
    for (let count = 1; count <= parts.length; count++) known.add(parts.slice(0, count).join("/"));
  }
  return known;
}

function deadLinks(path: string, text: string, known: ReadonlySet<string>): string[] {
  const dead: string[] = [];
  for (const [, link = ""] of text.matchAll(MARKDOWN_LINK_REGEXP)) {
    if (OUTSIDE_LINK_REGEXP.test(link)) continue;
    const parts = path.split("/").slice(0, -1);
    for (const part of (link.split("#")[0] ?? "").split("/")) {
      if (part === "..") parts.pop();
      else if (part !== "." && part !== "") parts.push(part);
    }
    if (parts.length > 0 && !known.has(parts.join("/"))) dead.push(link);
  }
  return dead;
}
