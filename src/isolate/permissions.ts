/** Owns the permissions of an isolate: what its role needs, and everything else denied. */

import { basename, dirname, join } from "node:path";
import type { Needs } from "../plugin/mod.ts";

/** Permissions of a Worker, every kind said: a kind left out would be inherited. */
export interface IsolatePermissions {
  readonly net: string[] | false;
  readonly read: string[] | false;
  readonly write: string[] | false;
  readonly run: string[] | false;
  readonly env: string[] | false;
  readonly sys: string[] | false;
  readonly ffi: false;
  readonly import: false;
}

/** What a pipeline's isolate may do: the union of what its nodes need. */
export function pipelinePermissions(needs: Needs): IsolatePermissions {
  return {
    net: granted(needs.net),
    read: granted(withRealPaths(needs.read)),
    write: granted(withRealPaths(needs.write)),
    run: granted(needs.run),
    env: granted(needs.env),
    sys: granted(needs.sys),
    ffi: false,
    import: false,
  };
}

/** What a store's isolate may do: read and write the folder of its file. */
export function storePermissions(folder: string): IsolatePermissions {
  return { net: false, read: [folder], write: [folder], run: false, env: false, sys: false, ffi: false, import: false };
}

/**
 * The paths and where their links lead: the platform asks for access to both. A link that is set anew while a pipeline
 * runs takes effect at its next start.
 */
function withRealPaths(paths: readonly string[] | undefined): readonly string[] | undefined {
  return paths === undefined ? undefined : [...new Set(paths.flatMap((path) => [path, realPath(path)]))];
}

/** The path without links; what does not exist yet is taken as it is named. */
function realPath(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    // Not there, or a link to nothing or in a circle: the pipeline meets that itself and says so.
    const folder = dirname(path);
    return folder === path ? path : join(realPath(folder), basename(path));
  }
}

/** An empty list would grant nothing too, but `false` says it in every version. */
function granted(list: readonly string[] | undefined): string[] | false {
  return list === undefined || list.length === 0 ? false : [...list];
}
