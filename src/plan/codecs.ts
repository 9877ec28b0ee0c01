/** Owns the codecs of a pipeline: those every pipeline has and those its document declares. */

import { didYouMeanOneOf } from "../base/mod.ts";
import type { CodecDeclaration, DocumentPath } from "../config/mod.ts";
import type { CodecPlugin, Needs } from "../plugin/mod.ts";
import { CodecError } from "../plugin/mod.ts";
import { parseBlock } from "./block.ts";
import { isEmptyNeeds } from "./needs.ts";
import type { PlanCodec } from "./plan.ts";
import { checkContext, reportIssues, type ResolutionScope } from "./resolution.ts";

/** A codec that can be used, with what it needs and whether it was declared. */
export interface ResolvedCodec extends PlanCodec {
  readonly needs: Needs;
  /** Name of the plugin that makes it. */
  readonly plugin: string;
}

/** Which codecs are made. */
type CodecChoice = "all" | "needless";

/** Finds codecs by the names nodes give them. */
export class CodecTable {
  readonly #scope: ResolutionScope;
  readonly #codecs = new Map<string, ResolvedCodec>();
  readonly #declared: ReadonlySet<string>;
  readonly #only: CodecChoice;

  /**
   * Makes every codec that a message may name. `judge` also runs each declared codec's own check, which may read the
   * files its block names. `only: "needless"` leaves out those that need a permission.
   */
  constructor(scope: ResolutionScope, judge: boolean, only: CodecChoice = "all") {
    this.#scope = scope;
    this.#only = only;
    this.#declared = new Set(scope.document.codecs.map((codec) => codec.name));
    for (const plugin of scope.registry.list("codec")) {
      const parsed = plugin.definition.parse({});
      if (parsed.ok) this.#makeBare(plugin, parsed.value);
    }
    for (const declaration of scope.document.codecs) this.#declare(declaration, judge);
  }

  /** Every codec that could be made, by name. */
  get all(): ReadonlyMap<string, ResolvedCodec> {
    return this.#codecs;
  }

  /** The codec a node names; undefined, and reported at `path`, where there is none. */
  resolve(name: string, path: DocumentPath, node: string): ResolvedCodec | undefined {
    const codec = this.#codecs.get(name);
    // A declared codec that could not be made has been reported where it is declared.
    if (codec !== undefined || this.#declared.has(name)) return codec;
    const { registry, places, bag } = this.#scope;
    if (registry.get("codec", name) !== undefined) {
      const message = `"${node}" names codec "${name}", which cannot be used without configuration`;
      const hint = `declare it under codecs, such as "codecs: {my-${name}: {type: ${name}, ...}}", and name that`;
      bag.report("codec_config", places.value(path), message, { hint, node });
      return undefined;
    }
    const hint = didYouMeanOneOf(name, this.#codecs.keys());
    const message = `"${node}" names codec "${name}", which is neither built in nor declared under codecs`;
    bag.report("codec_unknown", places.value(path), message, { hint, node });
    return undefined;
  }

  #declare(declaration: CodecDeclaration, judge: boolean): void {
    const { document, registry, places, bag } = this.#scope;
    const plugin = registry.get("codec", declaration.plugin);
    if (plugin === undefined) {
      const hint = didYouMeanOneOf(declaration.plugin, registry.list("codec").map((codec) => codec.name));
      const message = `codec "${declaration.name}" has type "${declaration.plugin}", which is no registered codec`;
      bag.report("codec_unknown", places.value([...declaration.path, "type"]), message, { hint });
      return;
    }
    const target = { path: declaration.path, block: declaration.block, node: undefined, code: "codec_config" } as const;
    const parsed = parseBlock(document, plugin.definition, declaration);
    if (!parsed.ok) return reportIssues(this.#scope, target, parsed.issues);
    const context = checkContext(document, declaration.name);
    const issues = judge ? plugin.check?.(parsed.value, context) ?? [] : [];
    reportIssues(this.#scope, target, issues);
    if (issues.length > 0) return;
    try {
      this.#make(declaration.name, plugin, parsed.value);
    } catch (caught) {
      if (!(caught instanceof CodecError)) throw caught;
      reportIssues(this.#scope, target, [{ path: [], message: caught.message }]);
    }
  }

  /** A codec under its own name, unless it says that it cannot do without configuration. */
  #makeBare(plugin: CodecPlugin, config: unknown): void {
    try {
      this.#make(plugin.name, plugin, config);
    } catch (caught) {
      if (!(caught instanceof CodecError)) throw caught;
    }
  }

  #make(name: string, plugin: CodecPlugin, config: unknown): void {
    const context = checkContext(this.#scope.document, name);
    const needs = plugin.needs?.(config, context) ?? {};
    if (this.#only === "needless" && !isEmptyNeeds(needs)) return;
    this.#codecs.set(name, { name, codec: plugin.create(config, context), plugin: plugin.name, needs });
  }
}
