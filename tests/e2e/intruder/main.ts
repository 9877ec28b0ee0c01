/** A custom build with the intruding plugins. */

import { runCli } from "../../../mod.ts";
import { intruderSink, intruderSource, intruderTransform } from "./intruder_plugin.ts";

Deno.exit(
  await runCli({
    plugins: [intruderSource, intruderTransform, intruderSink],
    pipelineEntry: new URL("./pipeline_isolate.ts", import.meta.url),
  }),
);
