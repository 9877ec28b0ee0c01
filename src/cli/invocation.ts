/** Owns what a command line asks for, once it is parsed. */

/** Which pipeline: its file and what is merged onto it. */
export interface PipelineChoice {
  readonly config: string;
  readonly overlays: readonly string[];
}

/** Which store: by pipeline file or by the pipeline's name. */
export interface StoreChoice {
  readonly name: string | undefined;
  readonly config: string | undefined;
  readonly overlays: readonly string[];
  readonly dataDir: string | undefined;
  readonly runtime: string | undefined;
}

/** Whose dead letters. */
export interface LetterChoice extends PipelineChoice {
  readonly dataDir: string | undefined;
  readonly runtime: string | undefined;
}

/** Which of them. */
export interface LetterSelection {
  readonly since: string | undefined;
  readonly where: string | undefined;
  readonly ids: readonly number[] | undefined;
  readonly limit: number | undefined;
}

/** One verb with its options. */
export type Invocation =
  | {
    readonly verb: "verify";
    readonly runtime: string | undefined;
    readonly strict: boolean;
    readonly fix: boolean;
  } & PipelineChoice
  | {
    readonly verb: "run";
    readonly dataDir: string | undefined;
    readonly ephemeral: boolean;
    readonly runtime: string | undefined;
    readonly watch: boolean;
  } & PipelineChoice
  | {
    readonly verb: "test";
    readonly paths: readonly string[];
    readonly updateGolden: boolean;
    readonly junit: string | undefined;
    readonly watch: boolean;
  }
  | {
    readonly verb: "explain";
    /** The file of a message; undefined for none. */
    readonly message: string | undefined;
    readonly at: string | undefined;
    readonly codec: string | undefined;
    readonly meta: string | undefined;
    readonly parameters: string | undefined;
    readonly topology: boolean;
    /** The file that a drawing is written to. */
    readonly svg: string | undefined;
    readonly permissions: boolean;
    readonly dataDir: string | undefined;
    readonly runtime: string | undefined;
  } & PipelineChoice
  | {
    readonly verb: "repl";
    readonly script: string | undefined;
    readonly cel: string | undefined;
    readonly cesql: string | undefined;
    readonly message: string | undefined;
    readonly meta: string | undefined;
    readonly constants: string | undefined;
    readonly parameters: string | undefined;
    /** Steps that a script may take; undefined for as many as in a pipeline. */
    readonly steps: number | undefined;
    /** Whether lines are kept for later consoles. */
    readonly history: boolean;
  }
  | {
    readonly verb: "replay";
    readonly dlq: boolean;
    readonly spool: boolean;
    readonly job: string | undefined;
    readonly from: number | undefined;
    readonly to: number | undefined;
    readonly at: string | undefined;
    readonly delete: boolean;
    readonly dryRun: boolean;
    readonly ephemeral: boolean;
  }
    & LetterChoice
    & LetterSelection
  | { readonly verb: "dlq list" } & LetterChoice & LetterSelection
  | { readonly verb: "dlq count" } & LetterChoice & LetterSelection
  | { readonly verb: "dlq show"; readonly id: number } & LetterChoice
  | { readonly verb: "dlq export"; readonly to: string | undefined } & LetterChoice & LetterSelection
  | {
    readonly verb: "init";
    readonly dir: string | undefined;
    readonly template: string | undefined;
    readonly name: string | undefined;
    readonly force: boolean;
  }
  | { readonly verb: "init list" }
  | { readonly verb: "plugin catalog" }
  | {
    readonly verb: "plugin schema";
    readonly name: string | undefined;
    readonly kind: string | undefined;
    readonly dir: string | undefined;
    readonly what: "one" | "all" | "document" | "suite";
  }
  | { readonly verb: "store stats" | "store check" } & StoreChoice
  | { readonly verb: "store salvage"; readonly to: string } & StoreChoice
  | { readonly verb: "version" };

/** What parsing a command line gives. */
export type ParsedCommandLine =
  | { readonly kind: "verb"; readonly invocation: Invocation; readonly json: boolean }
  /** The help screen was asked for. */
  | { readonly kind: "help"; readonly text: string; readonly json: boolean }
  /** The command line is wrong; `text` says why and what is expected, on one line without its newline. */
  | { readonly kind: "usage"; readonly text: string; readonly json: boolean };
