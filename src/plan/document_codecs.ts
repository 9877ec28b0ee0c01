/** Owns the codecs of a document by themselves, for whoever reads messages of a pipeline that does not run. */

import type { PipelineDocument } from "../config/mod.ts";
import { DiagnosticBag } from "../diagnostics/mod.ts";
import type { Registry } from "../plugin/mod.ts";
import { CodecTable } from "./codecs.ts";
import { Places } from "./places.ts";
import type { PlanCodec } from "./plan.ts";

/** Every codec that a message of the document's pipeline may name and that can be made; nothing is judged. */
export function documentCodecs(document: PipelineDocument, registry: Registry): ReadonlyMap<string, PlanCodec> {
  const scope = { document, registry, places: new Places(document), bag: new DiagnosticBag() };
  return new CodecTable(scope, false).all;
}
