/** Owns what a plugin needs from the platform: the permissions its isolate gets, and no others. */

/** Permissions of one plugin block. Paths are absolute; hosts are `host` or `host:port`. */
export interface Needs {
  readonly net?: readonly string[];
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  readonly run?: readonly string[];
  readonly env?: readonly string[];
  readonly sys?: readonly string[];
}
