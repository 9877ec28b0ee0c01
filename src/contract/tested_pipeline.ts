/** Owns the pipeline of a suite: judged as every pipeline is, once for each set of constants its cases ask for. */

import { resolve } from "node:path";
import { type Data, didYouMeanOneOf, exactJson } from "../base/mod.ts";
import {
  documentOfRun,
  isBinding,
  type ParameterDeclaration,
  parameterProblem,
  type PipelineDocument,
} from "../config/mod.ts";
import { type Diagnostic, type DiagnosticBag, EventboatError } from "../diagnostics/mod.ts";
import { type Plan, rebuildPlan } from "../plan/mod.ts";
import type { Registry } from "../plugin/mod.ts";
import { type Verdict, verifyFile } from "../verify/mod.ts";
import { CASE_TIME_MS } from "./case_clock.ts";
import type { Suite, SuiteCase } from "./suite.ts";
import type { SuiteFolder } from "./suite_folder.ts";

/** What pipelines are judged with. */
export interface JudgeScope {
  readonly registry: Registry;
  /** The value of an environment variable of the process. */
  env(name: string): string | undefined;
  /** Reads a file by its absolute path; throws where it cannot. */
  readFile(path: string): Uint8Array;
}

/** Values by name. */
type Values = { readonly [name: string]: Data };

/** Where constants of a case stand in findings until they get their place. */
const CONSTANTS_FILE = "constants of a case";

const encoder = new TextEncoder();

/** The pipeline of one suite. */
export class TestedPipeline {
  readonly #suite: Suite;
  readonly #folder: SuiteFolder;
  readonly #scope: JudgeScope;
  readonly #verdicts = new Map<string, Verdict>();
  readonly #read = new Set<string>();

  constructor(suite: Suite, folder: SuiteFolder, scope: JudgeScope) {
    this.#suite = suite;
    this.#folder = folder;
    this.#scope = scope;
  }

  /** Absolute paths of what was read to judge it. */
  get files(): readonly string[] {
    return [...this.#read];
  }

  /** The verdict on the pipeline as it is. */
  get verdict(): Verdict {
    return this.#judge({});
  }

  /** The plan for a case and its parameters; undefined, with findings, where its constants do not fit. */
  plan({ constants, path }: SuiteCase, parameters: Values, bag: DiagnosticBag): Plan | undefined {
    const known = Object.keys(this.verdict.document?.constants ?? {});
    const unknown = Object.keys(constants).filter((name) => !known.includes(name));
    for (const name of unknown) {
      const span = this.#suite.keySpan([...path, "constants", name]);
      const message = `the pipeline has no constant "${name}"`;
      bag.report("suite_constant", span, message, { hint: didYouMeanOneOf(name, known) });
    }
    if (unknown.length > 0) return undefined;
    const { plan, document, diagnostics } = this.#judge(constants);
    if (plan === undefined) {
      const errors = diagnostics.filter(({ severity }) => severity === "error");
      bag.add(errors.map((finding) => this.#placed(finding, path)));
    }
    if (plan === undefined || document === undefined || document.parameterReferences.length === 0) return plan;
    return this.#planOfRun(document, parameters, { path, bag });
  }

  /** The parameters of a case's run, defaults filled in; reports what does not fit its declaration. */
  parameters({ parameters, path }: SuiteCase, bag: DiagnosticBag): Values {
    const { document } = this.verdict;
    const declared = document?.parameters ?? [];
    const names = declared.map(({ name }) => name);
    for (const name of Object.keys(parameters).filter((one) => !names.includes(one))) {
      const message = document?.run.mode === "job"
        ? `the pipeline declares no parameter "${name}"`
        : `the parameter "${name}" has nobody to read it: only a job pipeline has parameters`;
      const span = this.#suite.keySpan([...path, "parameters", name]);
      bag.report("suite_parameter", span, message, { hint: didYouMeanOneOf(name, names) });
    }
    const values: [string, Data][] = [];
    for (const declaration of declared) {
      const { name, required } = declaration;
      const given = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
      const problem = given === undefined ? undefined : parameterProblem(declaration, given);
      if (problem !== undefined) {
        const span = this.#suite.span([...path, "parameters", name]);
        bag.report("suite_parameter", span, `the parameter "${name}" ${problem}`);
      } else if (given === undefined && required) {
        const message = `the case lacks the parameter "${name}", which the pipeline requires`;
        bag.report("suite_parameter", this.#suite.span([...path, "name"]), message);
      }
      const value = given ?? declaration.default ?? null;
      values.push([
        name,
        given === undefined && isBinding(declaration, value) ? boundValue(declaration, value) : value,
      ]);
    }
    return Object.fromEntries(values);
  }

  /** The plan with the parameters in its texts; a text that they spoil is found here, as it would be by a run. */
  #planOfRun(
    document: PipelineDocument,
    parameters: Values,
    { path, bag }: Pick<SuiteCase, "path"> & { readonly bag: DiagnosticBag },
  ): Plan | undefined {
    try {
      return rebuildPlan(documentOfRun(document, parameters), this.#scope.registry);
    } catch (caught) {
      const { message } = EventboatError.from(caught);
      bag.report("suite_parameter", this.#suite.span([...path, "parameters"]), message);
      return undefined;
    }
  }

  #judge(constants: Values): Verdict {
    const key = exactJson(constants);
    const known = this.#verdicts.get(key);
    if (known !== undefined) return known;
    const { pipeline, overlays = [], env = {} } = this.#suite.text;
    const isPlain = Object.keys(constants).length === 0;
    // JSON is YAML: the constants go on top as one more overlay.
    const constantsText = encoder.encode(exactJson({ constants }));
    const verdict = verifyFile({
      file: this.#folder.shown(pipeline),
      overlays: [...overlays.map((overlay) => this.#folder.shown(overlay)), ...(isPlain ? [] : [CONSTANTS_FILE])],
      registry: this.#scope.registry,
      env: (name) => Object.hasOwn(env, name) ? env[name] : this.#scope.env(name),
      readFile: (path) => path === resolve(CONSTANTS_FILE) ? constantsText : this.#readTracked(path),
    });
    this.#verdicts.set(key, verdict);
    return verdict;
  }

  #readTracked(path: string): Uint8Array {
    this.#read.add(path);
    return this.#scope.readFile(path);
  }

  /** A finding about a constant of a case stands where the case says it. */
  #placed(finding: Diagnostic, path: SuiteCase["path"]): Diagnostic {
    if (finding.file !== CONSTANTS_FILE) return finding;
    return { ...finding, ...this.#suite.span([...path, "constants"]) };
  }
}

/** What a run's start binds: the time, and for a source that has never run a position before everything. */
function boundValue({ type }: ParameterDeclaration, binding: Data): Data {
  if (binding === "now") return new Date(CASE_TIME_MS).toISOString();
  return type === "string" ? "" : 0;
}
