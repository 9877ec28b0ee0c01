/** Owns what the verbs read beside pipelines: files, standard input, JSON written on the command line. */

import { EventboatError, reasonOf } from "../diagnostics/mod.ts";

/** Most bytes of one text. */
const TEXT_BYTES_MAX = 64 << 20;
const JSON_REGEXP = /^\s*[{[]/;
/** What stands for standard input where a file is asked for. */
export const STDIN_NAME = "-";

/** Reads a whole file as UTF-8. @throws {EventboatError} `usage` */
export function readTextFile(path: string): string {
  return utf8(readBytesFile(path), path);
}

/** Reads a whole file. @throws {EventboatError} `usage` */
function readBytesFile(path: string): Uint8Array {
  try {
    const { size, isDirectory } = Deno.statSync(path);
    if (isDirectory) throw new EventboatError("usage", `cannot read ${path}: it is a folder`);
    if (size > TEXT_BYTES_MAX) throw tooLarge(path);
    return Deno.readFileSync(path);
  } catch (caught) {
    if (caught instanceof EventboatError) throw caught;
    throw new EventboatError("usage", `cannot read ${path}: ${reasonOf(caught)}`, { cause: caught });
  }
}

/** Writes a file, whether it was there or not. @throws {EventboatError} `io` */
export function writeTextFile(path: string, text: string): void {
  try {
    Deno.writeTextFileSync(path, text);
  } catch (caught) {
    throw new EventboatError("io", `cannot write ${path}: ${reasonOf(caught)}`, { cause: caught });
  }
}

/** Texts and bytes by the words of the command line. */
export class InputTexts {
  readonly #openStdin: () => ReadableStream<Uint8Array>;
  #isStdinRead = false;

  /** `openStdin` is called when standard input is asked for. */
  constructor(openStdin: () => ReadableStream<Uint8Array>) {
    this.#openStdin = openStdin;
  }

  /** The text of a file, or of standard input for `-`, which can stand once. @throws {EventboatError} `usage` */
  async file(path: string): Promise<string> {
    return utf8(await this.bytes(path), path === STDIN_NAME ? "standard input" : path);
  }

  /** The same as bytes. @throws {EventboatError} `usage` */
  async bytes(path: string): Promise<Uint8Array> {
    if (path !== STDIN_NAME) return readBytesFile(path);
    if (this.#isStdinRead) throw new EventboatError("usage", `standard input ("-") can be read once only`);
    this.#isStdinRead = true;
    return await readWhole(this.#openStdin());
  }

  /** A word that is a JSON object or list itself, else the text of the file that it names. */
  async json(word: string): Promise<string> {
    return JSON_REGEXP.test(word) ? word : await this.file(word);
  }
}

async function readWhole(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > TEXT_BYTES_MAX) throw tooLarge("standard input");
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

function utf8(bytes: Uint8Array, what: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (caught) {
    throw new EventboatError("usage", `cannot read ${what}: it is no UTF-8 text`, { cause: caught });
  }
}

function tooLarge(what: string): EventboatError {
  return new EventboatError("usage", `cannot read ${what}: it has more than ${TEXT_BYTES_MAX} bytes`);
}
