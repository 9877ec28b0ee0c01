/** Owns the reading of SQL text: its `:name` placeholders, and what of it is code and what is not. */

import type { SqlDriver } from "./sql_connection.ts";

/** Where a placeholder stands in the text. */
interface Hole {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Something in the text that cannot stand there. */
export interface SqlTextIssue {
  /** UTF-16 units from the start of the text. */
  readonly offset: number;
  readonly message: string;
}

/** Text for a driver, with the names whose values go with it, in order. */
export interface PositionalText {
  readonly text: string;
  /** The name at each place; a name may be there several times. */
  readonly names: readonly string[];
}

const NAME_START_REGEXP = /[A-Za-z_]/;
const NAME_REGEXP = /[A-Za-z_][A-Za-z0-9_]*/y;
const WORD_REGEXP = /[\p{L}\p{N}_$\])]/u;
const DOLLAR_TAG_REGEXP = /\$(?:[A-Za-z_][A-Za-z0-9_]*)?\$/y;
const DOLLAR_NUMBER_REGEXP = /\$\d+/y;
const ESCAPE_PREFIX_REGEXP = /(?:^|[^\p{L}\p{N}_])[eE]$/u;
const BLANKS_REGEXP = /\s+/g;

/** SQL text taken apart: code, quoted text and comments told from each other as the database does. */
export class SqlText {
  readonly source: string;
  readonly issues: readonly SqlTextIssue[];
  readonly #holes: readonly Hole[];
  /** Code and quoted text alone, comments out and blanks in code as one. */
  readonly normal: string;
  /** Whether nothing but blanks and comments follows a semicolon; where one ends the text, its place. */
  readonly #end: number;

  constructor(source: string, driver: SqlDriver) {
    this.source = source;
    const scan = new Scan(source, driver);
    scan.run();
    this.issues = scan.issues;
    this.#holes = scan.holes;
    this.normal = scan.normal.trim();
    this.#end = scan.end;
  }

  /** Every name, once, in the order they first stand in the text. */
  get names(): readonly string[] {
    return [...new Set(this.#holes.map(({ name }) => name))];
  }

  /** The text for a driver: `$1` and `?1` once a name, `?` once a place; without a semicolon at its end. */
  positional(driver: SqlDriver): PositionalText {
    const names: string[] = [];
    let text = "";
    let at = 0;
    for (const { name, start, end } of this.#holes) {
      text += this.source.slice(at, start);
      at = end;
      if (driver === "mysql") {
        names.push(name);
        text += "?";
        continue;
      }
      let place = names.indexOf(name);
      if (place < 0) place = names.push(name) - 1;
      text += `${driver === "postgres" ? "$" : "?"}${place + 1}`;
    }
    return { text: text + this.source.slice(at, this.#end), names };
  }
}

/** One walk over a text. */
class Scan {
  readonly issues: SqlTextIssue[] = [];
  readonly holes: Hole[] = [];
  normal = "";
  end: number;
  readonly #source: string;
  readonly #driver: SqlDriver;
  #at = 0;
  #semicolon: number | undefined;

  constructor(source: string, driver: SqlDriver) {
    this.#source = source;
    this.#driver = driver;
    this.end = source.length;
  }

  run(): void {
    while (this.#at < this.#source.length) {
      const start = this.#at;
      if (this.#comment()) {
        this.normal += " ";
        continue;
      }
      const character = this.#source[start] ?? "";
      if (this.#semicolon !== undefined && character.trim() !== "") {
        this.issues.push({ offset: this.#semicolon, message: "holds more than one statement" });
        return;
      }
      if (this.#quoted()) {
        this.normal += this.#source.slice(start, this.#at);
      } else {
        this.#code(character);
        this.normal = (this.normal + this.#source.slice(start, this.#at)).replace(BLANKS_AT_END_REGEXP, " ");
      }
    }
  }

  /** Steps over a comment, if one begins here. */
  #comment(): boolean {
    const mysql = this.#driver === "mysql";
    const two = this.#source.slice(this.#at, this.#at + 2);
    const third = this.#source[this.#at + 2] ?? "\n";
    if ((two === "--" && (!mysql || third.trim() === "")) || (mysql && two[0] === "#")) {
      const end = this.#source.indexOf("\n", this.#at);
      this.#at = end < 0 ? this.#source.length : end;
      return true;
    }
    if (two !== "/*") return false;
    const start = this.#at;
    let depth = 0;
    do {
      const here = this.#source.slice(this.#at, this.#at + 2);
      if (here === "/*" && (depth === 0 || this.#driver === "postgres")) {
        depth++;
        this.#at += 2;
      } else if (here === "*/") {
        depth--;
        this.#at += 2;
      } else this.#at++;
    } while (depth > 0 && this.#at < this.#source.length);
    if (depth > 0) this.issues.push({ offset: start, message: "holds a comment that does not end" });
    return true;
  }

  /** Steps over quoted text or a quoted name, if one begins here. */
  #quoted(): boolean {
    const quote = this.#source[this.#at] ?? "";
    if (quote === "$" && this.#driver === "postgres") return this.#dollarQuoted();
    const brackets = quote === "[" && this.#driver === "sqlite";
    const isQuote = quote === "'" || quote === '"' || (quote === "`" && this.#driver !== "postgres");
    if (!isQuote && !brackets) return false;
    const close = brackets ? "]" : quote;
    const escapes = this.#driver === "mysql" ? quote !== "`" : this.#driver === "postgres" && quote === "'" &&
      ESCAPE_PREFIX_REGEXP.test(this.#source.slice(Math.max(0, this.#at - 2), this.#at));
    const start = this.#at;
    for (this.#at++; this.#at < this.#source.length; this.#at++) {
      const character = this.#source[this.#at];
      if (escapes && character === "\\") this.#at++;
      else if (character === close) {
        // A doubled quote ends one text and begins another: the same for whoever only steps over both.
        this.#at++;
        return true;
      }
    }
    this.issues.push({ offset: start, message: `holds a quote ${quote} that does not end` });
    return true;
  }

  #dollarQuoted(): boolean {
    DOLLAR_TAG_REGEXP.lastIndex = this.#at;
    const tag = DOLLAR_TAG_REGEXP.exec(this.#source)?.[0];
    if (tag === undefined || this.#follows(WORD_REGEXP)) return false;
    const end = this.#source.indexOf(tag, this.#at + tag.length);
    if (end < 0) this.issues.push({ offset: this.#at, message: `holds a quote ${tag} that does not end` });
    this.#at = end < 0 ? this.#source.length : end + tag.length;
    return true;
  }

  #code(character: string): void {
    const start = this.#at++;
    if (character === ";") {
      this.#semicolon = start;
      this.end = start;
    } else if (character === ":") this.#colon(start);
    else if (character === "?" && this.#driver !== "postgres") {
      this.issues.push({ offset: start, message: "holds a placeholder `?`; write `:name`" });
    } else if (character === "$" && this.#driver === "postgres") {
      DOLLAR_NUMBER_REGEXP.lastIndex = start;
      const number = this.#follows(WORD_REGEXP, start) ? undefined : DOLLAR_NUMBER_REGEXP.exec(this.#source)?.[0];
      if (number !== undefined) {
        this.issues.push({ offset: start, message: `holds a placeholder \`${number}\`; write \`:name\`` });
      }
    }
  }

  /** A placeholder, a cast `::type`, an assignment `:=` or the bounds of a slice. */
  #colon(start: number): void {
    const next = this.#source[this.#at] ?? "";
    if (next === ":" || next === "=") {
      this.#at++;
      return;
    }
    if (!NAME_START_REGEXP.test(next) || this.#follows(WORD_REGEXP, start)) return;
    NAME_REGEXP.lastIndex = this.#at;
    const name = NAME_REGEXP.exec(this.#source)?.[0] ?? "";
    this.#at += name.length;
    this.holes.push({ name, start, end: this.#at });
  }

  /** Whether the character before `at` is one of these. */
  #follows(characters: RegExp, at = this.#at): boolean {
    return at > 0 && characters.test(this.#source[at - 1] ?? "");
  }
}

const BLANKS_AT_END_REGEXP = /\s+$/;

/** A text on one line, for logs. */
export function oneLine(text: string): string {
  return text.replace(BLANKS_REGEXP, " ").trim();
}
