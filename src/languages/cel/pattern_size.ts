/**
 * Owns the size of a regular expression before it is compiled: about how many instructions it comes to.
 *
 * Repetitions make much of little text: `(?:a{1000}){9}` is nine thousand instructions. The library compiles them all
 * before it could be asked how many there are, so the text is measured first.
 */

/** Size a pattern may have: one that has it compiles within some tens of milliseconds. */
export const PATTERN_SIZE_MAX = 10_000;

/** What a class of Unicode (`\\pL`) counts as: some hundred ranges each. */
const UNICODE_CLASS_SIZE = 50;

const REPEAT_REGEXP = /\{(\d{1,9})(?:,(\d{0,9}))?\}/y;
/** An escape: a class of Unicode, quoted text, a code point or a single character. */
const ESCAPE_REGEXP = /\\(?:([pP])(?:\{[^}]*\}?|.?)|Q([\s\S]*?)(?:\\E|$)|x\{[^}]*\}?|[\s\S]?)/y;
/** A class in brackets, whose first member may be a bracket itself. */
const BRACKET_REGEXP = /\[\^?\]?(?:\\[\s\S]|\[:[^\]]*:\]|[^\]\\])*\]?/y;
const UNICODE_CLASS_REGEXP = /\\[pP]/g;

/** The size of a pattern: sound for any text, whether it is a pattern or not. Takes time linear in the text. */
export function patternSize(pattern: string): number {
  const measure = new Measure(pattern);
  while (!measure.isDone) measure.next();
  return measure.total;
}

class Measure {
  readonly #pattern: string;
  /** Sizes of the groups that are open, the whole pattern first, without what stands last in each. */
  readonly #open: number[] = [];
  #sum = 0;
  #last = 0;
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  get isDone(): boolean {
    return this.#at >= this.#pattern.length;
  }

  get total(): number {
    return this.#open.reduce((sum, outer) => sum + outer, this.#sum + this.#last);
  }

  next(): void {
    switch (this.#pattern[this.#at]) {
      case "\\":
        return this.#escape();
      case "[":
        return this.#bracket();
      case "{":
        return this.#repeat();
      case "(":
        this.#open.push(this.#sum + this.#last);
        this.#sum = 2;
        this.#last = 0;
        break;
      case ")": {
        const group = this.#sum + this.#last;
        this.#sum = this.#open.pop() ?? 0;
        this.#last = group;
        break;
      }
      case "*":
      case "+":
      case "?":
        this.#last += 1;
        break;
      default:
        this.#atom(1);
    }
    this.#at += 1;
  }

  #atom(size: number): void {
    this.#sum += this.#last;
    this.#last = size;
  }

  #escape(): void {
    const [text = "\\", unicode, quoted] = this.#match(ESCAPE_REGEXP);
    this.#at += text.length;
    if (quoted !== undefined) this.#sum += quoted.length;
    else this.#atom(unicode === undefined ? 1 : UNICODE_CLASS_SIZE);
  }

  #bracket(): void {
    const [text = "["] = this.#match(BRACKET_REGEXP);
    this.#at += text.length;
    this.#atom(text.length + (text.match(UNICODE_CLASS_REGEXP)?.length ?? 0) * UNICODE_CLASS_SIZE);
  }

  #repeat(): void {
    const [text = "{", least, most] = this.#match(REPEAT_REGEXP);
    this.#at += text.length;
    if (least === undefined) return this.#atom(1);
    // An occurrence that may be left out takes an instruction to leave it out.
    const times = most === undefined || most === "" ? Number(least) + 1 : Math.max(Number(least), 2 * Number(most));
    this.#last = Math.max(1, times) * Math.max(1, this.#last);
  }

  #match(pattern: RegExp): readonly (string | undefined)[] {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#pattern) ?? [];
  }
}
