/** Owns the input fields that several operations share. */

import { flag, list, text } from "../schema/mod.ts";

/** The pipeline file. */
export const configField = text({ description: "Path of the pipeline file." });

/** Files merged onto the pipeline. */
export const overlaysField = list(text({ description: "Path of an overlay." }), {
  description: "Overlays, merged onto the pipeline in this order.",
  default: [],
  minItems: 0,
});

/** The Runtime document. */
export const runtimeField = text({
  description: "Path of the Runtime document. Default: ./eventboat.yaml if it exists.",
});

/** The folder of the stores. */
export const dataDirField = text({ description: "Folder of the stores, instead of storage.data_dir." });

/** Whether the store is kept in memory. */
export const ephemeralField = flag({ description: "Keep the store in memory, instead of storage.ephemeral." });
