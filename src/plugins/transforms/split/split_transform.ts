/** Owns the built-in transform `split`: one message per element of an array. */

import type { Static } from "typebox";
import type { Message } from "../../../message/mod.ts";
import { type Transform, TransformError, type TransformPlugin, type TransformResult } from "../../../plugin/mod.ts";
import { block, define, optional } from "../../../schema/mod.ts";
import { type Path, pathField, readPath, splitPath } from "../../shared/payload_path.ts";

const schema = block({
  path: optional(pathField("Dotted path to the list in the payload. Without it the payload itself is the list.")),
});

/** Turns a message whose payload holds an array into one message per element, identified `<id>/<index>`. */
export const splitTransform: TransformPlugin<typeof schema> = {
  kind: "transform",
  name: "split",
  version: 1,
  summary: "Turns an array into one message per element, identified `<id>/<index>`.",
  capabilities: ["explain-safe"],
  failureKinds: ["runtime"],
  failsForGood: true,
  lanes: true,
  definition: define(schema),
  writes: () => ["payload", "meta.message_id"],
  create: (config) => new SplitTransform(config),
};

class SplitTransform implements Transform {
  readonly #path: Path;
  readonly #pathText: string;

  constructor(config: Static<typeof schema>) {
    this.#path = config.path === undefined ? [] : splitPath(config.path);
    this.#pathText = config.path === undefined ? "payload" : `payload.${config.path}`;
  }

  init(): void {}

  apply(message: Message): TransformResult {
    const elements = readPath(message.payload, this.#path);
    if (!Array.isArray(elements)) {
      throw new TransformError(
        "runtime",
        `cannot split a message: ${this.#pathText} must be a list, and it is ${describe(elements)}`,
        { retryable: false },
      );
    }
    const { id, meta } = message;
    return elements.map((payload, index) =>
      message.derive({ payload, meta: { ...meta, message_id: `${id}/${index}` }, branch: String(index) })
    );
  }

  // Without state, so workers may share it.
  clone(): Transform {
    return this;
  }

  close(): void {}
}

function describe(value: unknown): string {
  if (value === undefined) return "not there";
  if (value === null) return "null";
  return typeof value === "object" ? "a mapping" : `a ${typeof value}`;
}
