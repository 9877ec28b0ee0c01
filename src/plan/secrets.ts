/** Owns the warning about secrets that are written in the file. */

import { type Data, pathPointer } from "../base/mod.ts";
import type { DocumentPath, PipelineDocument } from "../config/mod.ts";
import type { LintScope } from "./lint.ts";

/** Names of fields whose value is a secret; `token_url` or `key_file` are none. */
const SECRET_NAME_REGEXP =
  /(?:^|[_-])(?:password|passwd|passphrase|secret|token|credentials?|api_?key|access_?key|private_?key|secret_?key)$/i;
/**
 * A URL with user and password, or the same without a scheme as a MySQL driver reads it. A scheme's length is limited:
 * else a long text without blanks, such as a certificate, would be searched again from each of its characters.
 */
const DSN_REGEXP = /[a-z][a-z0-9+.-]{0,31}:\/\/[^\s:/@]*:[^\s/@]+@\S+|^[^\s:/@]+:[^\s/@]+@(?:tcp|unix)\(/i;
/** A `password=...` inside a DSN of key and value pairs. */
const DSN_PAIR_REGEXP = /(?:^|[\s;?&])(?:password|pwd)=[^\s;&]+/i;
const HEADER_NAME_REGEXP = /^(?:authorization|proxy-authorization|x-api-key|cookie)$/i;

/** Warns of passwords, tokens and DSNs with credentials that do not come from the environment. */
export function lintSecrets(scope: LintScope): void {
  const { document } = scope;
  const walk = (data: Data, path: DocumentPath, node: string | undefined) => lintValue(scope, { data, path, node });
  for (const [name, value] of Object.entries(document.constants)) walk(value, ["constants", name], undefined);
  for (const codec of document.codecs) walk(codec.block, codec.path, undefined);
  for (const hook of document.hooks) walk(hook.block, hook.path, undefined);
  for (const node of document.nodes) {
    walk(node.block, node.path, node.name);
    if (node.grpc !== undefined) walk(node.grpc.env, [...node.nodePath, "grpc", "env"], node.name);
  }
}

interface PlacedData {
  readonly data: Data;
  readonly path: DocumentPath;
  readonly node: string | undefined;
}

function lintValue(scope: LintScope, { data, path, node }: PlacedData): void {
  if (Array.isArray(data)) {
    data.forEach((item: Data, index) => lintValue(scope, { data: item, path: [...path, index], node }));
  } else if (typeof data === "object" && data !== null) {
    for (const [key, item] of Object.entries(data)) lintValue(scope, { data: item, path: [...path, key], node });
  } else if (typeof data === "string") {
    const what = secretKind(data, path);
    if (what === undefined || scope.document.substituted.includes(pathPointer(path))) return;
    scope.bag.report("lint_secret_literal", scope.places.value(path), `${what} is written in the file`, {
      hint: "read it from the environment: ${NAME}",
      ...(node === undefined ? {} : { node }),
    });
  }
}

/** Whether the value at a path is a secret by the name of its field. */
export function isSecretField(path: DocumentPath): boolean {
  const name = path.findLast((part) => typeof part === "string") ?? "";
  return SECRET_NAME_REGEXP.test(name) || HEADER_NAME_REGEXP.test(name);
}

/** What kind of secret a text is, by the name of its field and by its look. The text itself is never told. */
function secretKind(text: string, path: DocumentPath): string | undefined {
  // Scripts and queries speak of passwords without holding one, and references are filled in later.
  if (text === "" || text.includes("\n") || text.includes("${")) return undefined;
  const name = path.findLast((part) => typeof part === "string") ?? "";
  if (SECRET_NAME_REGEXP.test(name)) return `the value of "${name}"`;
  if (HEADER_NAME_REGEXP.test(name)) return `a credential in "${name}"`;
  if (DSN_REGEXP.test(text) || DSN_PAIR_REGEXP.test(text)) return `a password inside "${name}"`;
  return undefined;
}

/** Shortest secret that is looked for in other texts: of shorter ones, too many mean something else. */
const SECRET_CHARACTERS_MIN = 6;

/** The texts of a document that are secrets by the names of their fields. */
export function secretTexts({ constants, codecs, hooks, nodes }: PipelineDocument): readonly string[] {
  const texts = new Set<string>();
  const walk = (data: Data, path: DocumentPath) => {
    if (typeof data === "string") {
      if (data.length >= SECRET_CHARACTERS_MIN && isSecretField(path)) texts.add(data);
    } else if (Array.isArray(data)) data.forEach((item: Data, index) => walk(item, [...path, index]));
    else if (typeof data === "object" && data !== null) {
      for (const [key, item] of Object.entries(data)) walk(item, [...path, key]);
    }
  };
  walk(constants, ["constants"]);
  for (const { block, path } of [...codecs, ...hooks, ...nodes]) walk(block, path);
  return [...texts];
}
