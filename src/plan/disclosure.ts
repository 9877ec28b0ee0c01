/** Owns what findings may quote of a document: no secret, and nothing that came from the environment, where secrets are. */

import { type Data, pathPointer, pointerSteps } from "../base/mod.ts";
import type { DocumentPath, PipelineDocument } from "../config/mod.ts";
import { valueAt } from "./block.ts";
import { isSecretField } from "./secrets.ts";

const QUOTED_REGEXP = /"(?:[^"\\]|\\.)+"/g;
const ELLIPSIS_REGEXP = /\.\.\.$/;
const STAND_IN = "text that is not shown";

/** A value and its path. */
export interface DisclosedValue {
  readonly path: DocumentPath;
  readonly value: Data;
}

/**
 * The sentence about the value at `path`, with a stand-in for each quotation that is part of a secret or of a text the
 * environment has a share in. What a sentence takes from a document stands in quotes.
 */
export function discreet(document: PipelineDocument, { path, value }: DisclosedValue, sentence: string): string {
  if (typeof value === "string" && isSecretField(path)) return discreetAbout([value], sentence);
  const at = pathPointer(path);
  const inside = document.substituted.filter((pointer) => pointer === at || pointer.startsWith(`${at}/`));
  const texts = inside.map((pointer) => valueAt(value, pointerSteps(pointer.slice(at.length))));
  return discreetAbout(texts.filter((text) => typeof text === "string"), sentence);
}

/** What errors may quote of the text at `path` while the pipeline runs: all, or nothing of it. */
export function discreetText(
  document: Pick<PipelineDocument, "substituted">,
  { path, value }: { readonly path: DocumentPath; readonly value: string },
): string {
  const at = pathPointer(path);
  const isSubstituted = document.substituted.some((pointer) => pointer === at || pointer.startsWith(`${at}/`));
  return isSubstituted || isSecretField(path) ? STAND_IN : value;
}

/** The same for texts that are not to be shown. */
function discreetAbout(texts: readonly string[], sentence: string): string {
  if (texts.length === 0) return sentence;
  return sentence.replaceAll(QUOTED_REGEXP, (quoted) => {
    const content = unquoted(quoted).replace(ELLIPSIS_REGEXP, "");
    return texts.some((text) => text.includes(content)) ? STAND_IN : quoted;
  });
}

function unquoted(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    // Not every quotation is written as JSON.
    return quoted.slice(1, -1);
  }
}
