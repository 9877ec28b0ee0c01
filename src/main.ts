/** Owns the assembly of the shipped program. */

import { runCli } from "./cli/mod.ts";

if (import.meta.main) {
  Deno.exit(
    await runCli({
      // Loaded when a verb asks for plugins: most of the program stands behind this import.
      loadPlugins: async () => (await import("./plugins/mod.ts")).builtins(),
      entries: {
        pipeline: new URL("./pipeline_isolate.ts", import.meta.url),
        store: new URL("./store_isolate.ts", import.meta.url),
      },
    }),
  );
}
