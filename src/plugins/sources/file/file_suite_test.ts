import { sourceSuite, type SourceTrial } from "../../../../tests/suites/source_suite.ts";
import type { Data } from "../../../base/mod.ts";
import { testContext } from "../../../plugin/mod.ts";
import { fileDefinition } from "./file_config.ts";
import { fileSource } from "./file_source.ts";
import { TrialFolder } from "./source_trial.ts";

const BLOCKS: { readonly [name: string]: { readonly [key: string]: Data } } = {
  "file": {},
  "file of lines that are packed": { encoding: "latin1" },
  "file of groups": { multiline: { pattern: "^ ", max_lines: 1 } },
};

function startTrial(block: { readonly [key: string]: Data }): SourceTrial {
  const folder = new TrialFolder();
  const context = testContext({ directory: folder.path });
  const parsed = fileDefinition.parse({ path: "*.log", host: "here", ...block });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  let fed = 0;
  return {
    source: fileSource.create(parsed.value, context),
    feed: async () => {
      await context.clock.untilSleeping();
      folder.append("a.log", `line ${++fed}\n`);
      await context.clock.advance(parsed.value.poll_every_ms);
    },
    [Symbol.asyncDispose]: () => Promise.resolve(folder[Symbol.dispose]()),
  };
}

for (const [name, block] of Object.entries(BLOCKS)) sourceSuite(name, () => startTrial(block), fileSource.meta);
