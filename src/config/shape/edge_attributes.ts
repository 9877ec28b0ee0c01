/** Owns the attributes of an edge that have defaults: `required`, `delivery` and `buffer`. */

import type { DeliveryPolicy, EdgeOrigin, EdgeOrigins } from "../document.ts";
import {
  BUFFER_FIELDS,
  DELIVERY_FIELDS,
  EDGE_ATTRIBUTES,
  EDGE_DEFAULT_ATTRIBUTES,
  type KeyInfo,
} from "../../schema/mod.ts";
import type { MappingTree, Tree } from "../tree.ts";
import type { ValueReader } from "../value_reader.ts";

/** How an edge delivers. */
export interface EdgePolicy {
  readonly required: boolean;
  readonly delivery: DeliveryPolicy;
  /** Messages the edge may hold. */
  readonly bufferEvents: number;
  readonly origins: EdgeOrigins;
}

/** The section that says what holds where an edge says nothing. */
const EDGE_DEFAULTS = "edge_defaults";

/** What holds where a document says nothing. */
const FRAMEWORK_POLICY: EdgePolicy = {
  required: EDGE_ATTRIBUTES.required.default,
  delivery: { retries: DELIVERY_FIELDS.retries.default, backoff: DELIVERY_FIELDS.backoff.default },
  bufferEvents: BUFFER_FIELDS.max_events.default,
  origins: {
    required: "default",
    retries: "default",
    backoff: "default",
    timeoutMs: "default",
    bufferEvents: "default",
  },
};

/** Reads `edge_defaults`, filled in with the framework's own. */
export function readEdgeDefaults(root: MappingTree, reader: ValueReader): EdgePolicy {
  const defaults = reader.field(root, EDGE_DEFAULTS, (tree) => {
    return reader.mapping(tree, "cfg_edge_defaults_field", EDGE_DEFAULTS);
  });
  if (defaults === undefined) return FRAMEWORK_POLICY;
  const rest = new Map(defaults.entries);
  for (const name of ["when", "route"]) {
    const entry = rest.get(name);
    if (entry === undefined) continue;
    rest.delete(name);
    const allowed = EDGE_DEFAULT_ATTRIBUTES.join(", ");
    reader.report(
      "cfg_edge_defaults_field",
      entry.key,
      `"${name}" belongs to one edge; edge_defaults may hold ${allowed}`,
    );
  }
  const known: { [name: string]: KeyInfo } = {};
  for (const name of EDGE_DEFAULT_ATTRIBUTES) known[name] = EDGE_ATTRIBUTES[name];
  reader.unknownKeys({ ...defaults, entries: rest }, known, EDGE_DEFAULTS);
  return readEdgePolicy(defaults, FRAMEWORK_POLICY, EDGE_DEFAULTS, reader);
}

/** Reads the policy of one edge; what it does not say, field by field, is as in `defaults`. */
export function readEdgePolicy(
  attributes: MappingTree,
  defaults: EdgePolicy,
  what: string,
  reader: ValueReader,
): EdgePolicy {
  const required = reader.field(attributes, "required", (tree) => {
    return reader.flag(tree, "cfg_required_type", `${what}.required`);
  });
  const delivery = reader.field(attributes, "delivery", (tree) => {
    return readDelivery(tree, defaults.delivery, `${what}.delivery`, reader);
  });
  const bufferEvents = reader.field(attributes, "buffer", (tree) => readBuffer(tree, `${what}.buffer`, reader));
  return {
    required: required ?? defaults.required,
    delivery: delivery ?? defaults.delivery,
    bufferEvents: bufferEvents ?? defaults.bufferEvents,
    origins: readOrigins(attributes, defaults.origins, what === EDGE_DEFAULTS ? "edge_defaults" : "edge"),
  };
}

/** Who said each attribute: `here` where these attributes have it. */
function readOrigins(attributes: MappingTree, outer: EdgeOrigins, here: EdgeOrigin): EdgeOrigins {
  const inside = (name: string, field: string) => {
    const value = attributes.entries.get(name)?.value;
    return value?.kind === "mapping" && value.entries.has(field) ? here : undefined;
  };
  return {
    required: attributes.entries.has("required") ? here : outer.required,
    retries: inside("delivery", "retries") ?? outer.retries,
    backoff: inside("delivery", "backoff") ?? outer.backoff,
    timeoutMs: inside("delivery", "timeout_ms") ?? outer.timeoutMs,
    bufferEvents: inside("buffer", "max_events") ?? outer.bufferEvents,
  };
}

function readDelivery(
  tree: Tree,
  defaults: DeliveryPolicy,
  what: string,
  reader: ValueReader,
): DeliveryPolicy | undefined {
  const codes = { type: "cfg_delivery_type", range: "cfg_delivery_range" } as const;
  const delivery = reader.mapping(tree, codes.type, what);
  if (delivery === undefined) return undefined;
  reader.unknownKeys(delivery, DELIVERY_FIELDS, what);
  const retries = reader.field(delivery, "retries", (value) => {
    return reader.integer(value, codes, `${what}.retries`, DELIVERY_FIELDS.retries.range);
  });
  const backoff = reader.field(delivery, "backoff", (value) => {
    return reader.word(value, DELIVERY_FIELDS.backoff.words, "cfg_delivery_backoff", `${what}.backoff`);
  });
  const timeoutMs = reader.field(delivery, "timeout_ms", (value) => {
    return reader.integer(value, codes, `${what}.timeout_ms`, DELIVERY_FIELDS.timeout_ms.range);
  }) ?? defaults.timeoutMs;
  return {
    retries: retries ?? defaults.retries,
    backoff: backoff ?? defaults.backoff,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
}

function readBuffer(tree: Tree, what: string, reader: ValueReader): number | undefined {
  const codes = { type: "cfg_buffer_type", range: "cfg_buffer_range" } as const;
  const buffer = reader.mapping(tree, codes.type, what);
  if (buffer === undefined) return undefined;
  reader.unknownKeys(buffer, BUFFER_FIELDS, what);
  reader.field(buffer, "type", (value) => reader.word(value, BUFFER_FIELDS.type.words, codes.type, `${what}.type`));
  return reader.field(buffer, "max_events", (value) => {
    return reader.integer(value, codes, `${what}.max_events`, BUFFER_FIELDS.max_events.range);
  });
}
