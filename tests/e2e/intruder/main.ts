/** A custom build with the intruding plugins. */

import { runCli } from "../../../mod.ts";
import { intruderSource, intruderTransform } from "./intruder_plugin.ts";

Deno.exit(
  await runCli({
    plugins: [intruderSource, intruderTransform],
    pipelineEntry: new URL("./pipeline_isolate.ts", import.meta.url),
  }),
);
