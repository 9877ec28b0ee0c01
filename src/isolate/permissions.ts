/** Owns the permissions of an isolate: what its role needs, and everything else denied. */

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
    read: granted(needs.read),
    write: granted(needs.write),
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

/** An empty list would grant nothing too, but `false` says it in every version. */
function granted(list: readonly string[] | undefined): string[] | false {
  return list === undefined || list.length === 0 ? false : [...list];
}
