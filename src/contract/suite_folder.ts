/** Owns the border of a suite: which files it may name, and the reading of them. */

import { basename, dirname, isAbsolute, join, relative, resolve, sep as SEPARATOR } from "node:path";
import { didYouMean } from "../base/mod.ts";
import { type DiagnosticBag, reasonOf, type Span } from "../diagnostics/mod.ts";

/** What a suite needs of the disk. Paths are absolute. */
export interface SuiteDisk {
  /** The bytes of a file; throws where it cannot be read. */
  readFile(path: string): Uint8Array;
  /** The path with every symbolic link followed; throws where there is nothing. */
  realPath(path: string): string;
  /** Names in a folder, for hints; throws where it cannot be read. */
  listNames(path: string): readonly string[];
}

/** The platform's disk. */
export const platformDisk: SuiteDisk = {
  readFile: (path) => Deno.readFileSync(path),
  realPath: (path) => Deno.realPathSync(path),
  listNames: (path) => [...Deno.readDirSync(path)].map(({ name }) => name),
};

/** The folder beside a pipeline that holds its suites. */
const TESTS_FOLDER = "tests";

/** The files of one suite. Every path it names is read from its own folder and has to stay below its root. */
export class SuiteFolder {
  /** The suite file as the user named it. */
  readonly file: string;
  /** Absolute: the folder that holds `tests/`, or the suite's own where it stands in no such folder. */
  readonly root: string;
  readonly #directory: string;
  readonly #disk: SuiteDisk;
  readonly #bag: DiagnosticBag;
  readonly #read = new Map<string, Uint8Array | undefined>();

  constructor(file: string, disk: SuiteDisk, bag: DiagnosticBag) {
    this.file = file;
    this.#directory = dirname(resolve(file));
    this.root = rootOf(this.#directory);
    this.#disk = disk;
    this.#bag = bag;
  }

  /** Absolute paths of everything that was asked for, whether it is there or not. */
  get files(): readonly string[] {
    return [...this.#read.keys()];
  }

  /** The path a suite names, as a user of the program would name it. */
  shown(path: string): string {
    return join(dirname(this.file), path);
  }

  /** The bytes of a file that a suite names; undefined, with a finding at `span`, where there are none to be had. */
  read(path: string, span: Span, what: string): Uint8Array | undefined {
    const absolute = this.locate(path, span, what);
    if (absolute === undefined) return undefined;
    if (!this.#read.has(absolute)) this.#read.set(absolute, undefined);
    try {
      const bytes = this.#read.get(absolute) ?? this.#disk.readFile(absolute);
      this.#read.set(absolute, bytes);
      return bytes;
    } catch (caught) {
      const message = `${what} "${path}" cannot be read: ${reasonOf(caught)}`;
      const hint = this.#nearName(absolute);
      this.#bag.report("suite_file", span, message, hint === undefined ? {} : { hint });
      return undefined;
    }
  }

  /** The bytes of a file below the root that need not be there; undefined where it is not. */
  readIfThere(absolute: string): Uint8Array | undefined {
    let bytes: Uint8Array | undefined;
    try {
      bytes = this.#disk.readFile(absolute);
    } catch {
      // One that cannot be read is as good as none: whoever expects something of it tells.
    }
    this.#read.set(absolute, bytes);
    return bytes;
  }

  /**
   * The absolute path of a file that a suite names, which need not be there; undefined, with a finding at `span`, where
   * it leads out of the root.
   */
  locate(path: string, span: Span, what: string): string | undefined {
    const absolute = resolve(this.#directory, path);
    const problem = isAbsolute(path)
      ? "is absolute"
      : !isWithin(absolute, this.root)
      ? "leads out of the suite's root"
      : !isWithin(this.#followed(absolute), this.#followed(this.root))
      ? "is or passes a symbolic link that leads out of the suite's root"
      : undefined;
    if (problem === undefined) return absolute;
    this.#bag.report("suite_path", span, `${what} "${path}" ${problem}, which is ${this.#shownRoot()}`, {
      hint: "name files by their way from the suite's folder, and keep them below the folder that holds the pipeline",
    });
    return undefined;
  }

  #shownRoot(): string {
    return join(dirname(this.file), relative(this.#directory, this.root));
  }

  /** The path with its links followed, as far as it is there. */
  #followed(path: string): string {
    try {
      return this.#disk.realPath(path);
    } catch {
      // Not there: what is not there leads nowhere, but the folder it is to stand in may.
      const parent = dirname(path);
      return parent === path ? path : join(this.#followed(parent), basename(path));
    }
  }

  #nearName(path: string): string | undefined {
    try {
      return didYouMean(basename(path), this.#disk.listNames(dirname(path)));
    } catch {
      // The folder is not there either: nothing to guess from.
      return undefined;
    }
  }
}

function rootOf(directory: string): string {
  for (let at = directory; dirname(at) !== at; at = dirname(at)) {
    if (basename(at) === TESTS_FOLDER) return dirname(at);
  }
  return directory;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(SEPARATOR) ? folder : `${folder}${SEPARATOR}`);
}
