/** Owns the built-in transform `dedupe`: the first message of each key passes, later ones are dropped. */

import { createHash } from "node:crypto";
import type { Static } from "typebox";
import { parseDuration } from "../../../base/mod.ts";
import { reasonOf } from "../../../diagnostics/mod.ts";
import { bindKey, type CelExpression, type CelKey, compileCel } from "../../../languages/mod.ts";
import type { Message } from "../../../message/mod.ts";
import {
  type PluginContext,
  type PluginIssue,
  type Transform,
  TransformError,
  type TransformPlugin,
  type TransformResult,
} from "../../../plugin/mod.ts";
import { block, define, duration, integer, text } from "../../../schema/mod.ts";
import { SeenKeys } from "./seen_keys.ts";

const SIZE_DEFAULT = 100_000;
const SIZE_MAX = 1_000_000;
/** What a key is made of is told by so many bytes of a digest of the expression. */
const BINDING_BYTES = 4;

const schema = block({
  key: text({
    description: "CEL expression that gives a string, such as `payload.order_id`. Messages of one key are one message.",
    examples: ["payload.order_id", "string(payload.id) + meta.source"],
  }),
  window: block({
    size: integer({
      description: "Most keys that are remembered; beyond them the one first seen longest ago is forgotten.",
      default: SIZE_DEFAULT,
      minimum: 1,
      maximum: SIZE_MAX,
    }),
    ttl: duration({ description: "How long a key is remembered after it was first seen.", default: "10m" }),
  }, { description: "How much is remembered. An ephemeral run or replay begins with nothing.", default: {} }),
});

type DedupeConfig = Static<typeof schema>;

/** Drops messages whose key was seen; remembers keys across restarts. */
export const dedupeTransform: TransformPlugin<typeof schema> = {
  kind: "transform",
  name: "dedupe",
  version: 1,
  summary: "Lets the first message of each key pass and drops later ones; remembers keys across restarts.",
  capabilities: [],
  oneWorker: true,
  definition: define(schema),
  check,
  writes: () => [],
  failureKinds: ["runtime"],
  failsForGood: true,
  constantsRead: (config) => namesRead(config, "constants"),
  parametersRead: (config) => namesRead(config, "parameters"),
  create: (config, context) => new DedupeTransform(config, context),
};

function check(config: DedupeConfig): readonly PluginIssue[] {
  const issues: PluginIssue[] = [];
  const compiled = compileCel(config.key);
  if (!compiled.ok) {
    issues.push(...compiled.issues.map(({ message, offset, hint }) => ({
      code: "expr_cel_compile" as const,
      path: ["key"],
      offset,
      message,
      ...(hint === undefined ? {} : { hint }),
    })));
  }
  if (!(ttlOf(config) > 0)) {
    issues.push({ path: ["window", "ttl"], message: "must be longer than nothing: no key would ever be remembered" });
  }
  return issues;
}

/** Names of the constants or parameters that the key reads; `*` where a name is computed. */
function namesRead({ key }: DedupeConfig, root: "constants" | "parameters"): readonly string[] {
  const compiled = compileCel(key);
  if (!compiled.ok) return [];
  return compiled.program.reads.map((read) => read.split(".")).filter(([first]) => first === root)
    .map(([, name]) => name ?? "*");
}

function ttlOf({ window }: DedupeConfig): number {
  return parseDuration(window.ttl) ?? 0;
}

class DedupeTransform implements Transform {
  readonly memory: SeenKeys;
  readonly #key: CelKey;

  constructor(config: DedupeConfig, { clock, constants, parameters }: PluginContext) {
    this.#key = bindKey(keyExpression(config.key), { constants, parameters });
    const digest = createHash("sha256").update(config.key).digest();
    this.memory = new SeenKeys({
      size: config.window.size,
      ttlMs: ttlOf(config),
      binding: digest.readUIntBE(0, BINDING_BYTES),
      now: () => clock.now(),
    });
  }

  init(): void {}

  apply(message: Message): TransformResult {
    let key: string;
    try {
      key = this.#key(message);
    } catch (caught) {
      throw new TransformError("runtime", `cannot tell the key: ${reasonOf(caught)}`, {
        cause: caught,
        retryable: false,
      });
    }
    return this.memory.isFirst(key, message) ? message : undefined;
  }

  close(): void {}
}

function keyExpression(key: string): CelExpression {
  const compiled = compileCel(key);
  if (compiled.ok) return compiled.program;
  throw new TransformError("compile", "the key does not compile", { retryable: false });
}
