/** Owns what a plugin is given: enough to do its work, nothing to start or find other parts of the program. */

import type { Clock, Data, Random } from "../base/mod.ts";
import type { LineFraming } from "./codec.ts";
import type { Logger, Meter } from "../telemetry/mod.ts";

/** What is known when a block is checked, before anything runs. */
export interface CheckContext {
  readonly pipeline: string;
  /** The node, or the named codec. */
  readonly node: string;
  /** Absolute folder of the pipeline file: relative paths in the block are read from here. */
  readonly directory: string;
  readonly constants: { readonly [name: string]: Data };
}

/** What a running plugin is given. */
export interface PluginContext extends CheckContext {
  readonly parameters: { readonly [name: string]: Data };
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Counters named `source_<name>_total` for sources; labels pipeline and node are added. */
  readonly meter: Meter;
  /** How durable "accepted" is to be. */
  readonly durability: "power" | "process";
  /** For a source: how the messages of its decoder stand in lines. Undefined: a line is a message. */
  readonly framing?: LineFraming;
  /** Most messages a source should emit at once: what fits one segment and the pipeline's `max_in_flight`. */
  readonly batchMessagesMax: number;
}
