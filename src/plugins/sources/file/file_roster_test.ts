import assert from "node:assert/strict";
import { testContext } from "../../../plugin/mod.ts";
import { Charset } from "./charset.ts";
import { fileDefinition } from "./file_config.ts";
import { FilePump } from "./file_pump.ts";
import { FileRoster } from "./file_roster.ts";
import { parseGlobs } from "./path_glob.ts";
import { scanPaths, type ScanResult } from "./path_scan.ts";
import { Positions } from "./positions.ts";
import { SourceTrial, TrialFolder } from "./source_trial.ts";

function makeRoster(folder: TrialFolder, state: Uint8Array | undefined) {
  const context = testContext({ directory: folder.path });
  const parsed = fileDefinition.parse({ path: "*.log" });
  assert.ok(parsed.ok);
  const rules = { lineBytesMax: 1000, oversize: "skip", messagesMax: 10, group: undefined } as const;
  const pump = new FilePump(rules, new Positions(state), () => Promise.resolve(), context);
  const charset = new Charset("utf-8");
  const options = {
    config: parsed.value,
    host: "here",
    charset,
    isResumed: state !== undefined,
    isPatient: true,
    isNamed: false,
  };
  return { roster: new FileRoster(options, pump, context), context };
}

/** What a search would have found, had the file gone, or been locked, right after it. */
function under(scan: ScanResult, path: string): ScanResult {
  return { ...scan, files: scan.files.map((file) => ({ ...file, path })) };
}

Deno.test("FileRoster: a file that cannot be opened keeps its position until it can", async () => {
  using folder = new TrialFolder();
  folder.write("a.log", "1\n2\n");
  const trial = new SourceTrial(folder.path, { path: "*.log" });
  await trial.idle();
  const { roster } = makeRoster(folder, await trial.stop());
  using _open = roster.open;
  const scan = await scanPaths(parseGlobs("*.log", folder.path));
  await roster.survey(under(scan, folder.at("none.log")));
  assert.deepEqual([...roster.files()], []);
  await roster.survey(scan);
  assert.deepEqual([...roster.files()].map((file) => file.place.offset), [4]);
});

Deno.test("FileRoster: trouble with a path is told once, and forgotten with the path", async () => {
  using folder = new TrialFolder();
  const { roster, context } = makeRoster(folder, undefined);
  roster.complain("x", new Error("no"));
  roster.complain("x", new Error("no"));
  assert.equal(context.log.lines.length, 1);
  await roster.survey({ files: [], problems: [{ path: "x", error: new Error("no") }], overflow: false });
  assert.equal(roster.hasTrouble, true);
  await roster.survey({ files: [], problems: [], overflow: false });
  assert.equal(roster.hasTrouble, false);
});
