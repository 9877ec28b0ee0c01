/** Owns what the program says of its own build. */

import manifest from "../../deno.json" with { type: "json" };

/** The build: versions of the program and of what it stands on. */
export interface BuildInfo {
  readonly version: string;
  readonly deno: string;
  readonly v8: string;
  readonly target: string;
}

/** The version of this program. */
export const VERSION: string = manifest.version;

/** Tells what this program is made of. */
export function buildInfo(): BuildInfo {
  return { version: VERSION, deno: Deno.version.deno, v8: Deno.version.v8, target: Deno.build.target };
}
