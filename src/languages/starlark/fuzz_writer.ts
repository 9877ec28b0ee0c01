/** Owns the writing of random scripts: grammatical ones, and what is left of scripts when tokens are lost. */

const NAMES = "a b c f g payload meta constants payload.a payload.b.c payload.l meta.r None True json math len str"
  .split(" ");
const METHODS =
  ("upper split append get keys items pop format join update extend insert remove find replace strip add " +
    "union elems setdefault clear index count popitem values startswith title splitlines rsplit partition").split(" ");
const FUNCTIONS =
  ("len str repr int float list tuple dict set sorted reversed range min max any all zip enumerate bool " +
    "type hash dir abs chr ord bytes print json.encode json.decode math.floor math.sqrt safe_json_decode").split(" ");
const LITERALS = [
  '"\\0\\u2028`${x}*/"',
  '"%(a)s%%%r"',
  "'é' * 3000",
  "[0] * 3000",
  "(1, [2], {3: (4,)})",
  "range(1 << 40)",
  "1 << 511",
  "0x7fffffffffffffffffffffff",
  "float('-inf')",
  `'{"__proto__": [1, 2.5, {}]}'`,
  "b'\\xff\\x00'",
  ..."0 1 2 -1 3.5 1.0 1e300 1<<70 9007199254740991 100000 [] {} () None True b'ab' ''".split(" "),
  "'abc,def'",
  "'😀x'",
  "[1, 2, 3]",
  "{'a': 1}",
  "(1, 'x')",
  "set([1])",
  "'%s %d'",
  "'{} {x}'",
  "'__proto__'",
  "float('nan')",
];
const OPERATORS = [
  "+",
  "-",
  "*",
  "/",
  "//",
  "%",
  "&",
  "|",
  "^",
  "<<",
  ">>",
  "==",
  "!=",
  "<",
  ">=",
  " in ",
  " not in ",
  " and ",
  " or ",
];
const AUGMENTED = ["+=", "-=", "*=", "|=", "//=", "/=", "%=", "&=", "^=", "<<=", ">>="];
const SLIPS = [
  "(",
  ")",
  "[",
  "]",
  ":",
  "=",
  "\n",
  " ",
  "'",
  '"',
  "\\",
  "for ",
  "if ",
  "def ",
  "\t",
  "**",
  "😀",
  "\0",
  "#",
  "1e",
  ".",
];

/** Names that mean something to JavaScript and nothing here. */
const ODD_NAMES = "eval arguments this new __proto__ constructor toString undefined NaN await let k0 T P".split(" ");
const TOKEN_REGEXP = /\s+|[\p{L}_][\p{L}\p{Nd}_]*|[0-9.]+|[^]/gu;

/** Writes scripts, the same ones for the same seed. */
export class ScriptWriter {
  #state: number;
  #globals = 0;

  constructor(seed: number) {
    this.#state = Math.imul(seed, 2_654_435_761) >>> 0;
  }

  #below(limit: number): number {
    // A linear congruential generator: any will do, as long as a failure can be repeated.
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor(this.#state / 2 ** 32 * limit);
  }

  #pick(from: readonly string[]): string {
    return from[this.#below(from.length)] ?? "";
  }

  /** A grammatical script, wrong in one way or another most of the time. */
  program(): string {
    this.#globals = 0;
    const prelude = "a = 1\nb = [1, 2]\nc = {'k': 1}\ndef f(x=1):\n  return x\ndef g(*a, **k):\n  return a\n";
    const text = prelude + this.#block(3, "", false, false);
    if (this.#below(4) > 0) return text;
    const at = this.#below(text.length);
    return text.slice(0, at) + this.#pick(SLIPS) + text.slice(at + this.#below(3));
  }

  /** A script of which tokens were lost, doubled, swapped or replaced by those of another one. */
  mutant(source: string, other: string): string {
    const tokens = [...source.matchAll(TOKEN_REGEXP)].map(([token]) => token);
    const others = [...other.matchAll(TOKEN_REGEXP)].map(([token]) => token);
    for (let count = 1 + this.#below(4); count > 0; count--) {
      const at = this.#below(tokens.length);
      const taken = tokens.splice(at, this.#below(3));
      const put = [[], [...taken, ...taken], taken.toReversed(), [this.#pick(others)], [this.#pick(SLIPS)]];
      tokens.splice(this.#below(2) === 0 ? at : this.#below(tokens.length), 0, ...put[this.#below(put.length)] ?? []);
    }
    return tokens.join("");
  }

  /** Characters of all kinds, halves of pairs too. */
  noise(): string {
    const units = Array.from({ length: this.#below(200) }, () => {
      return this.#below(4) === 0 ? this.#below(0x10000) : this.#below(128);
    });
    return String.fromCharCode(...units);
  }

  #block(depth: number, indent: string, inFunction: boolean, inLoop: boolean): string {
    const count = 1 + this.#below(3);
    return Array.from({ length: count }, () => this.#statement(depth, indent, inFunction, inLoop)).join("");
  }

  #target(inFunction: boolean): string {
    if (this.#below(2) === 0) {
      return this.#pick(["payload.z", "payload['q']", "meta.r", "payload", "payload.b.c", "payload.l[0]"]);
    }
    return inFunction ? `v${this.#below(3)}` : `v${this.#globals++}`;
  }

  #statement(depth: number, indent: string, inFunction: boolean, inLoop: boolean): string {
    const simple = this.#simple(inFunction, inLoop);
    const kind = this.#below(depth > 0 ? 10 : 6);
    if (kind < 6) return `${indent}${this.#below(8) === 0 ? `${simple}; ` : ""}${simple}\n`;
    const inner = `${indent} `;
    const block = (isFunction: boolean, isLoop: boolean) => this.#block(depth - 1, inner, isFunction, isLoop);
    if (kind === 6) return `${indent}def h${this.#globals++}(${this.#parameters()}):\n${block(true, false)}`;
    if (kind < 9) {
      const then = `${indent}if ${this.#expression(2)}:\n${block(inFunction, inLoop)}`;
      if (this.#below(2) === 0) return then;
      const elif = `${indent}elif ${this.#expression(1)}:\n${block(inFunction, inLoop)}`;
      return `${then}${elif}${indent}else:\n${block(inFunction, inLoop)}`;
    }
    const pair = this.#below(4) === 0 ? `, ${this.#target(inFunction)}` : "";
    return `${indent}for ${this.#target(inFunction)}${pair} in ${this.#expression(2)}:\n${block(inFunction, true)}`;
  }

  #simple(inFunction: boolean, inLoop: boolean): string {
    const [target, other] = [this.#target(inFunction), this.#target(inFunction)];
    const value = this.#expression(3);
    const forms = [
      `${target} = ${value}`,
      `${target} = ${value}`,
      `${target}, ${other} = ${value}, ${this.#expression(1)}`,
      `(${target}, [${other}]) = ${value}`,
      `payload.a ${this.#pick(AUGMENTED)} ${this.#expression(2)}`,
      `payload[${this.#expression(1)}] ${this.#pick(AUGMENTED)} ${this.#expression(2)}`,
      `meta.m ${this.#pick(AUGMENTED)} ${this.#expression(2)}`,
      `remove(payload, ${this.#expression(1)})`,
      value,
      value,
      inLoop ? this.#pick(["break", "continue"]) : "pass",
      inFunction ? `return ${value}` : "pass",
    ];
    return this.#pick(forms);
  }

  #parameters(): string {
    const forms = ["x, *y", "x=1, *, y=2", "*x, **y", "x, y=[], **z", "", `${this.#pick(ODD_NAMES)}, x=0, y=payload`];
    return this.#pick(forms);
  }

  #expression(depth: number): string {
    if (depth === 0 || this.#below(6) === 0) return this.#pick(this.#below(2) === 0 ? LITERALS : NAMES);
    const [x, y] = [this.#expression(depth - 1), this.#expression(depth - 1)];
    const forms = [
      `(${x}${this.#pick(OPERATORS)}${y})`,
      `(${y}${this.#pick(OPERATORS)}${x})`,
      `${this.#pick(FUNCTIONS)}(${x})`,
      `${x}.${this.#pick(METHODS)}(${y})`,
      `${x}[${y}]`,
      `${x}[${y}:]`,
      `[${x} for i in ${y}]`,
      `{${x}: ${y}}`,
      `(lambda x=${y}, *z: ${x})`,
      `(${x} if ${y} else ${x})`,
      `${this.#pick(["-", "not ", "~"])}${x}`,
      `f(*${x}, **${y})`,
      `[${x}, ${y}]`,
      `(${x}, ${y})[${this.#pick(["0", "-1", "::-1", "1:"])}]`,
      `${x}[::${this.#pick(["-1", "2", "0", "1 << 60"])}]`,
      `${x}.${this.#pick(ODD_NAMES)}`,
      `getattr(${x}, '${this.#pick(ODD_NAMES)}', ${y})`,
      `{'${this.#pick(ODD_NAMES)}': ${x}}['${this.#pick(ODD_NAMES)}']`,
      `{k: ${x} for k, v in ${y}.items() if v}`,
      `[i for i in ${x} for j in ${y} if i == j]`,
      `sorted(${x}, key=lambda v: ${y}, reverse=True)`,
      `g(${x}, *${y}, z=${y}, **c)`,
      `${this.#pick(LITERALS)} % (${x}, ${y})`,
      `'{}{1!r}{x}'.format(${x}, ${y}, x=${x})`,
      `json.decode(json.encode(${x}), ${y})`,
      `(lambda ${this.#pick(ODD_NAMES)}: ${x})(${y})`,
      `${x} * ${this.#pick(["3", "1000", "10000000"])}`,
    ];
    return this.#pick(forms);
  }
}
