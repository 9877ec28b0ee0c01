/** Owns the description of what the messages of a file know of it. */

import type { MetaKey } from "../../../plugin/mod.ts";

const CONTAINER_NAME = "from a name of the form `<pod>_<namespace>_<container>-<id>.log`; else absent";

/** Every key of `meta` that the source sets. */
export const FILE_META: readonly MetaKey[] = [
  { key: "file_path", type: "string", description: "Absolute path of the file." },
  { key: "host", type: "string", description: "The source's `host`, by default the name of the machine." },
  {
    key: "offset",
    type: "integer",
    description: "Where the message begins in the file, in bytes; of a compressed file, in its content.",
  },
  { key: "pod", type: "string", description: `Pod of a container log, ${CONTAINER_NAME}.` },
  { key: "namespace", type: "string", description: "Its namespace, likewise." },
  { key: "container", type: "string", description: "Its container, likewise." },
];
