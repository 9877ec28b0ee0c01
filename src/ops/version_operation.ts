/** Owns the operation `version`. */

import { type BuildInfo, buildInfo } from "../base/mod.ts";
import { block, data, define } from "../schema/mod.ts";
import type { Operation } from "./operation.ts";

const input = block({});

/** Tells what the program is made of. */
export const versionOperation: Operation<typeof input, BuildInfo> = {
  name: "version",
  summary: "Tells the version of the program and of what it stands on.",
  effect: "read",
  input: define(input),
  output: data({ description: "{version, deno, v8, target}" }),
  handle: () => Promise.resolve(buildInfo()),
};
