/** Owns arrays of PostgreSQL as text: read into lists, written from them. */

/** An array's elements: text, null, or an array again. */
export type ArrayElements = readonly (string | null | ArrayElements)[];

/** How deeply arrays may be nested; the server's own limit. */
const DEPTH_MAX = 6;
const BOUNDS_REGEXP = /^(?:\[-?\d+:-?\d+\])+=/;

/** Reads an array's text. Undefined where it is none. */
export function parseArray(text: string): ArrayElements | undefined {
  const reader = new Reader(text.replace(BOUNDS_REGEXP, ""));
  const elements = reader.array(1);
  return reader.atEnd ? elements : undefined;
}

/** Writes an array's text. Elements are quoted, so that none is taken for a NULL or a bound. */
export function arrayText(elements: ArrayElements): string {
  const texts = elements.map((each) => {
    if (each === null) return "NULL";
    return typeof each === "string" ? `"${each.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"` : arrayText(each);
  });
  return `{${texts.join(",")}}`;
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get atEnd(): boolean {
    return this.#at === this.#text.length;
  }

  array(depth: number): ArrayElements | undefined {
    if (this.#text[this.#at] !== "{" || depth > DEPTH_MAX) return undefined;
    this.#at++;
    const elements: (string | null | ArrayElements)[] = [];
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at];
      if (character === "}") {
        this.#at++;
        return elements;
      }
      if (character === ",") this.#at++;
      else if (character === "{") {
        const inner = this.array(depth + 1);
        if (inner === undefined) return undefined;
        elements.push(inner);
      } else elements.push(character === '"' ? this.#quoted() : this.#plain());
    }
    return undefined;
  }

  #quoted(): string {
    let value = "";
    for (this.#at++; this.#at < this.#text.length && this.#text[this.#at] !== '"'; this.#at++) {
      if (this.#text[this.#at] === "\\") this.#at++;
      value += this.#text[this.#at] ?? "";
    }
    this.#at++;
    return value;
  }

  #plain(): string | null {
    const start = this.#at;
    while (this.#at < this.#text.length && this.#text[this.#at] !== "," && this.#text[this.#at] !== "}") this.#at++;
    const value = this.#text.slice(start, this.#at);
    return value.toUpperCase() === "NULL" ? null : value;
  }
}
