/** Owns the names of container logs. */

import type { Meta } from "../../../message/mod.ts";

/** `<pod>_<namespace>_<container>-<id>.log`; names of pods, namespaces and containers hold no underscore. */
const CONTAINER_LOG_REGEXP = /^([a-z0-9.-]+)_([a-z0-9-]+)_([a-z0-9.-]+)-([0-9a-zA-Z]+)\.log$/;

/** Pod, namespace and container, where the file's name is one of a container log; else nothing. */
export function containerMeta(path: string): Meta {
  const match = CONTAINER_LOG_REGEXP.exec(path.slice(path.lastIndexOf("/") + 1));
  const [, pod, namespace, container] = match ?? [];
  if (pod === undefined || namespace === undefined || container === undefined) return {};
  return { pod, namespace, container };
}
