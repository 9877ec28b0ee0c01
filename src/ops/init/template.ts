/** Owns what a template of a starter pipeline is. */

/** One file of a starter pipeline. */
export interface StarterFile {
  /** Its path below the folder, with `/` between names. */
  readonly path: string;
  readonly text: string;
}

/** A starter pipeline to begin from. Its text is part of the program: a compiled one needs nothing beside it. */
export interface Template {
  /** What `init --template` is given. */
  readonly name: string;
  /** One line for lists. */
  readonly summary: string;
  /** Makes the files; `pipeline` is the pipeline's name as it stands in YAML. One of them is `pipeline.yaml`. */
  files(pipeline: string): readonly StarterFile[];
}
