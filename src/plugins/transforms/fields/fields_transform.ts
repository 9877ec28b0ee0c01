/** Owns the built-in transform `fields`: sets, copies, renames and removes fields of a payload. */

import type { Static } from "typebox";
import type { Message } from "../../../message/mod.ts";
import { type Transform, TransformError, type TransformPlugin, type TransformResult } from "../../../plugin/mod.ts";
import { block, data, define, list, optional, record, text } from "../../../schema/mod.ts";
import {
  isMapping,
  type Mapping,
  type Path,
  PATH_PATTERN,
  pathField,
  readPath,
  setMember,
  splitPath,
  withoutPath,
  withPath,
} from "../../shared/payload_path.ts";

const schema = block({
  wrap_field: optional(text({
    description: "A payload that is no mapping becomes a mapping with this one field. Without it such a message fails.",
  })),
  from_meta: optional(list(text({ description: "A key of meta." }), {
    description: "Keys copied from meta into the payload, under their own names. A key that meta lacks is left out.",
  })),
  fields: optional(record(data({ description: "Any value." }), {
    description: "Fields set to these values.",
    minProperties: 1,
  })),
  rename: optional(record(pathField("Dotted path the value moves to."), {
    description: "Dotted path to dotted path: moves a value. A path that leads to nothing is left out.",
    minProperties: 1,
    namePattern: PATH_PATTERN,
  })),
  remove: optional(list(pathField("Dotted path to remove."), {
    description: "Dotted paths removed from the payload. A path that leads to nothing is left out.",
  })),
});

type FieldsConfig = Static<typeof schema>;

/** Sets, copies, renames and removes fields, in the order wrap, copy, from_meta, fields, rename, remove. */
export const fieldsTransform: TransformPlugin<typeof schema> = {
  kind: "transform",
  name: "fields",
  version: 1,
  summary: "Copies, sets, renames and removes fields of the payload, in this order.",
  capabilities: ["explain-safe"],
  failureKinds: ["runtime"],
  failsForGood: true,
  lanes: true,
  definition: define(schema),
  writes: () => ["payload"],
  create: (config) => new FieldsTransform(config),
};

class FieldsTransform implements Transform {
  readonly #wrapField: string | undefined;
  readonly #fromMeta: readonly string[];
  readonly #fields: readonly (readonly [string, unknown])[];
  readonly #renames: readonly (readonly [Path, Path])[];
  readonly #removes: readonly Path[];

  constructor(config: FieldsConfig) {
    this.#wrapField = config.wrap_field;
    this.#fromMeta = config.from_meta ?? [];
    this.#fields = Object.entries(config.fields ?? {});
    this.#renames = Object.entries(config.rename ?? {}).map(([from, to]) => [splitPath(from), splitPath(to)]);
    this.#removes = (config.remove ?? []).map(splitPath);
  }

  init(): void {}

  apply(message: Message): TransformResult {
    let payload = this.#copy(message);
    for (const [from, to] of this.#renames) payload = rename(payload, from, to);
    for (const path of this.#removes) payload = withoutPath(payload, path);
    return message.derive({ payload });
  }

  // Without state, so workers may share it.
  clone(): Transform {
    return this;
  }

  close(): void {}

  /** Wrap, copy, from_meta and fields: a mapping of our own, its values shared. */
  #copy(message: Message): Mapping {
    const copy: { [key: string]: unknown } = {};
    if (isMapping(message.payload)) {
      for (const name of Object.keys(message.payload)) setMember(copy, name, message.payload[name]);
    } else if (this.#wrapField !== undefined) {
      setMember(copy, this.#wrapField, message.payload);
    } else {
      throw new TransformError(
        "runtime",
        "cannot set fields: the payload must be a mapping, and it is not; `wrap_field` would make it one",
        { retryable: false },
      );
    }
    for (const key of this.#fromMeta) if (Object.hasOwn(message.meta, key)) setMember(copy, key, message.meta[key]);
    for (const [name, value] of this.#fields) setMember(copy, name, value);
    return copy;
  }
}

function rename(payload: Mapping, from: Path, to: Path): Mapping {
  const without = withoutPath(payload, from);
  if (without === payload) return payload;
  const changed = withPath(without, to, readPath(payload, from));
  if (changed !== undefined) return changed;
  throw new TransformError(
    "runtime",
    `cannot rename ${from.join(".")} to ${to.join(".")}: something other than a mapping stands on the way`,
    { retryable: false },
  );
}
