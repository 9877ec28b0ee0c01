/** Owns the way from a suite file to cases that can run, or to all that is wrong with it. */

import type { MappingTree, SourceText } from "../config/mod.ts";
import { type Diagnostic, DiagnosticBag } from "../diagnostics/mod.ts";
import type { GoldenFile } from "./golden.ts";
import { checkExpectations, checkNodes } from "./check_expectations.ts";
import { type Injection, type InjectionScope, makeInjection, readFixtures } from "./injection.ts";
import type { Plan } from "../plan/mod.ts";
import { type JudgeScope, TestedPipeline } from "./tested_pipeline.ts";
import type { RunnableCase } from "./run_case.ts";
import type { Suite, SuiteCase } from "./suite.ts";
import { type SuiteDisk, SuiteFolder } from "./suite_folder.ts";
import { loadSuite, readSuiteTree } from "./suite_loader.ts";

/** A case that can run, with what is expected of it. */
export interface PreparedCase extends RunnableCase {
  readonly text: SuiteCase;
  /** The file of everything that came of it. */
  readonly golden: GoldenFile | undefined;
  /** The files of captures, by the position of the capture. */
  readonly captureGoldens: readonly (GoldenFile | undefined)[];
}

/** A suite as far as it could be prepared. */
export interface PreparedSuite {
  readonly file: string;
  readonly name: string;
  /**
   * `ready`: its cases can run. `refused`: the pipeline does not pass. `broken`: the suite itself is wrong, or a file it
   * needs cannot be read.
   */
  readonly state: "ready" | "refused" | "broken";
  /** What is wrong; of a suite that is ready, what verification warns of in its pipeline. */
  readonly diagnostics: readonly Diagnostic[];
  readonly cases: readonly PreparedCase[];
  /** Names of all its cases, also where they cannot run. */
  readonly caseNames: readonly string[];
  /** Absolute paths of all files it depends on. */
  readonly files: readonly string[];
}

/** What suites are prepared with. */
export interface PrepareScope extends Omit<JudgeScope, "readFile"> {
  readonly disk: SuiteDisk;
}

/** Codes by which a pipeline cannot be read at all, rather than be wrong. */
const UNREADABLE: ReadonlySet<Diagnostic["code"]> = new Set(["io_read", "yaml_parse", "empty_config"] as const);

/** Prepares the suite in a text; undefined where it is YAML of another kind. */
export function prepareSuiteText(source: SourceText, scope: PrepareScope): PreparedSuite | undefined {
  const bag = new DiagnosticBag();
  const tree = readSuiteTree(source, bag);
  if (tree !== undefined) return prepareSuite(source.file, tree, scope);
  return bag.hasErrors ? brokenSuite(source.file, bag.list()) : undefined;
}

/** Prepares the suite of a tree. Nothing is run. */
export function prepareSuite(file: string, tree: MappingTree, scope: PrepareScope): PreparedSuite {
  const bag = new DiagnosticBag();
  const suite = loadSuite(file, tree, bag);
  if (suite === undefined) return brokenSuite(file, bag.list());
  const { disk, registry, env } = scope;
  const folder = new SuiteFolder(file, disk, bag);
  const readable = readFiles(suite, folder, bag);
  for (const one of suite.cases) checkExpectations(one, suite, bag);
  const common = { file, name: suite.text.suite, caseNames: suite.cases.map(({ name }) => name) };
  if (!readable) return { ...common, state: "broken", diagnostics: bag.list(), cases: [], files: folder.files };
  const pipeline = new TestedPipeline(suite, folder, { registry, env, readFile: (path) => disk.readFile(path) });
  const { plan, diagnostics } = pipeline.verdict;
  const cases = plan === undefined
    ? []
    : suite.cases.flatMap((one) => prepareCase(one, { suite, folder, bag, pipeline }));
  const files = [...folder.files, ...pipeline.files, ...(plan === undefined ? [] : filesOf(plan))];
  if (bag.hasErrors) return { ...common, state: "broken", diagnostics: bag.list(), cases: [], files };
  if (plan !== undefined) return { ...common, state: "ready", diagnostics, cases, files };
  const state = diagnostics.some(({ code }) => UNREADABLE.has(code)) ? "broken" : "refused";
  return { ...common, state, diagnostics, cases: [], files };
}

/** A file that could not even be read as a suite. */
export function brokenSuite(file: string, diagnostics: readonly Diagnostic[]): PreparedSuite {
  return { file, name: "", state: "broken", diagnostics, cases: [], caseNames: [], files: [] };
}

/** Reads what a suite names, for the findings; false where its pipeline is not to be had. */
function readFiles(suite: Suite, folder: SuiteFolder, bag: DiagnosticBag): boolean {
  const { pipeline, overlays = [] } = suite.text;
  const found = [
    folder.read(pipeline, suite.span(["pipeline"]), "the pipeline"),
    ...overlays.map((overlay, index) => folder.read(overlay, suite.span(["overlays", index]), "the overlay")),
  ];
  for (const { injections } of suite.cases) {
    for (const injection of injections) readFixtures(injection, { suite, folder, bag });
  }
  return !found.includes(undefined);
}

function prepareCase(
  one: SuiteCase,
  { pipeline, ...scope }: InjectionScope & { readonly pipeline: TestedPipeline },
): PreparedCase[] {
  const { suite, folder, bag } = scope;
  const parameters = pipeline.parameters(one, bag);
  const goldenOf = (path: string | undefined, at: SuiteCase["path"]): GoldenFile | undefined => {
    if (path === undefined) return undefined;
    const absolute = folder.locate(path, suite.span([...at, "golden"]), "the golden file");
    return absolute === undefined
      ? undefined
      : { shown: folder.shown(path), path: absolute, bytes: folder.readIfThere(absolute) };
  };
  const golden = goldenOf(one.expect.value.golden, one.expect.path);
  const captureGoldens = one.captures.map(({ value, path }) => goldenOf(value.golden, path));
  const plan = pipeline.plan(one, parameters, bag);
  if (plan === undefined) return [];
  checkNodes(one, plan, suite, bag);
  const injections = one.injections.map((injection) => makeInjection(injection, plan, scope));
  const made = injections.filter((injection): injection is Injection => injection !== undefined);
  return made.length < injections.length
    ? []
    : [{ text: one, plan, parameters, injections: made, golden, captureGoldens }];
}

/** What transforms read while they run, such as modules. Data that sources read is left out. */
function filesOf(plan: Plan): readonly string[] {
  return plan.nodes.flatMap(({ name, kind }) => kind === "transform" ? plan.needsByNode.get(name)?.read ?? [] : []);
}
