/** Owns making random expressions over a payload: for tests that compare two evaluators. */

/** Levels an expression nests: small ones find as much as large ones, and take less time. */
const DEPTHS = [2, 3, 3, 4];

type Type =
  | "bool"
  | "bytes"
  | "double"
  | "duration"
  | "int"
  | "list"
  | "map"
  | "null"
  | "string"
  | "timestamp"
  | "uint";

const TYPES: readonly Type[] = [
  ...(["bool", "bytes", "double", "duration", "int", "list", "map", "null", "string", "timestamp", "uint"] as const),
];

/** Leaves by type; reads stand among them whatever their type in a payload is. */
const LEAVES: { readonly [type in Type]: readonly string[] } = {
  bool: ["true", "false", "payload.t", "payload.items[0].on", "payload.missing", "payload[4]"],
  bytes: ["b''", "b'abc'", "b'\\xff'", "payload.e", "b'\\xf0\\x9f\\xa4\\x97'"],
  double: [
    ...[
      "0.0",
      "-0.0",
      "1.0",
      "1.5",
      "-2.5",
      "1e18",
      "1e308",
      "5e-324",
    ],
    ...[
      "payload.n",
      "payload.f",
      "payload.z",
      "payload.m.x.y",
      "payload['n']",
      "payload[0]",
      "payload",
      "payload.a[1]",
    ],
  ],
  duration: ["duration('1h')", "duration('-1.5s')", "duration('0')", "duration('90m')", "duration('9223372036s')"],
  int: [
    ...["0", "1", "2", "-1", "9007199254740993", "9223372036854775807", "-9223372036854775808", "payload.big", "0x1F"],
    ...["size(payload)", "size(payload.l)", "payload.mixed.size()", "3600"],
  ],
  list: [
    "[]",
    "[1, 2, 3]",
    "[1.0, 'a', true]",
    "['abc', 'x']",
    "payload.a",
    "payload.l",
    "payload.mixed",
    "payload.items",
    "payload",
    "payload[3]",
    "[[1], [1u], ['a']]",
    "[{'k': 1}, {'k': 1.0}]",
  ],
  map: [
    "{}",
    "{'k': 1}",
    "{1: 'a', 2: 'b'}",
    "{true: 1.5, 'n': 2u}",
    "{1u: 2}",
    "payload.m",
    "payload",
    "payload.items[0]",
    "payload[2]",
    "{'a': null, 'n': [1]}",
    "{1: 1, 2u: 2, true: 3, 'x': 4}",
    "{size(payload): payload}",
  ],
  null: ["null", "payload.none", "payload.m.nil", "payload.mixed[0]"],
  string: [
    "''",
    "'abc'",
    "'x'",
    "'é'",
    "'1'",
    "'true'",
    "'🤗e\u0301'",
    "r'a\\d'",
    "'-1.5e3'",
    "'9223372036854775808'",
    "'2024-02-29T12:00:00Z'",
    "'90s'",
    "payload",
    "payload[1]",
    "payload.l[0]",
    "payload.s",
    "payload.e",
    "payload.m.k",
    "payload.constructor",
  ],
  timestamp: [
    "timestamp('2024-02-29T12:00:00Z')",
    "timestamp('1969-12-31T23:59:59.5Z')",
    "timestamp('2009-02-13T23:31:30.123+05:30')",
    "timestamp('9999-12-31T23:59:59Z')",
    "timestamp('0700-01-01T00:00:00Z')",
  ],
  uint: ["0u", "1u", "2u", "18446744073709551615u"],
};

const FIELDS = ["n", "s", "k", "x", "y", "a", "nil", "none", "missing", "constructor", "length", "toString", "id"];
/** Doubles at the ends of integers. Not among the leaves: as keys of maps the library takes them for ints. */
const EDGES = ["9223372036854775807.0", "9223372036854774784.0", "-9223372036854775808.0", "18446744073709551615.0"];
const ZONES = ["'UTC'", "'+02:00'", "'-09:30'", "'Europe/Berlin'", "'Nowhere/Land'"];
const GETTERS = [
  "getFullYear",
  "getMonth",
  "getDate",
  "getDayOfMonth",
  "getDayOfWeek",
  "getHours",
  "getMinutes",
  "getSeconds",
  "getDayOfYear",
  "getMilliseconds",
];
const PATTERNS = [
  "^a.c$",
  "[0-9]+",
  "",
  "(x|y)+",
  "(?i)ABC",
  "\\\\pL",
  "^\\\\w*$",
  "a{2,3}",
  "[^a]$",
  "\\\\bx",
  "(?=a)",
  "(",
];
const TYPE_NAMES = ["bool", "bytes", "double", "int", "list", "map", "null_type", "string", "type", "uint"];

/** Makes expressions: mostly of fitting types, sometimes not. The same ones for the same seed. */
export class ExpressionGenerator {
  #state: number;
  #locals: string[] = [];

  constructor(seed: number) {
    this.#state = seed;
  }

  /** The next expression. */
  next(): string {
    return this.#of(this.#pick(TYPES), this.#pick(DEPTHS));
  }

  /** Uniform in [0, limit). */
  #below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  #pick<Item>(items: readonly Item[]): Item {
    // Every list here has items.
    return items[this.#below(items.length)] as Item;
  }

  #of(wanted: Type, depth: number): string {
    const type = this.#below(30) === 0 ? this.#pick(TYPES) : wanted;
    if (depth === 0 || this.#below(6) === 0) return this.#leaf(type);
    const below = (other: Type) => this.#of(other, depth - 1);
    if (this.#below(8) === 0) return `(${below("bool")} ? ${below(type)} : ${below(type)})`;
    switch (type) {
      case "bool":
        return this.#bool(below);
      case "int":
        return this.#int(below);
      case "string":
        return this.#pick([
          () => `(${below("string")} + ${below("string")})`,
          () =>
            `string(${
              below(this.#pick(["bool", "string", "int", "uint", "double", "bytes", "duration", "timestamp"]))
            })`,
          () => `${below("list")}[${this.#index(below)}]`,
          () => `${below("map")}.${this.#pick(FIELDS)}`,
        ])();
      case "list":
        return this.#list(below);
      case "map":
        return this.#pick([
          () => `{${this.#pick(["'a'", "1", "2u", "false"])}: ${below(this.#pick(TYPES))}, 'z': ${below("int")}}`,
          () => `{${below("string")}: ${below(this.#pick(TYPES))}, 7: ${below("int")}}`,
          () => `{'m': ${below("map")}, (${below("int")} + 0): ${below("string")}}`,
        ])();
      case "double":
        return this.#pick([
          () => `(${below("double")} ${this.#pick(["+", "-", "*", "/"])} ${below("double")})`,
          () => `-(${below("double")})`,
          () => `double(${below(this.#pick(["int", "uint", "double", "string"]))})`,
          () => `${below("list")}[${this.#index(below)}]`,
        ])();
      default:
        return this.#other(type, below);
    }
  }

  #leaf(type: Type): string {
    if (this.#locals.length > 0 && this.#below(3) === 0) return this.#pick(this.#locals);
    return this.#pick(LEAVES[type]);
  }

  #other(type: Type, below: (type: Type) => string): string {
    switch (type) {
      case "uint":
        return this.#pick([
          () => `(${below("uint")} ${this.#pick(["+", "-", "*", "/", "%"])} ${below("uint")})`,
          () => `uint(${this.#pick(EDGES)})`,
          () => `uint(${below(this.#pick(["int", "double", "uint", "string"]))})`,
        ])();
      case "bytes":
        return this.#pick([() => `(${below("bytes")} + ${below("bytes")})`, () => `bytes(${below("string")})`])();
      case "timestamp":
        return this.#pick([
          () => `(${below("timestamp")} ${this.#pick(["+", "-"])} ${below("duration")})`,
          () => `(${below("duration")} + ${below("timestamp")})`,
          () => `timestamp(${below(this.#pick(["string", "int", "timestamp"]))})`,
        ])();
      case "duration":
        return this.#pick([
          () => `(${below("duration")} ${this.#pick(["+", "-"])} ${below("duration")})`,
          () => `(${below("timestamp")} - ${below("timestamp")})`,
          () => `duration(${below(this.#pick(["string", "int", "duration"]))})`,
        ])();
      default:
        return this.#leaf(type);
    }
  }

  #int(below: (type: Type) => string): string {
    return this.#pick([
      () => `(${below("int")} ${this.#pick(["+", "-", "*", "/", "%"])} ${below("int")})`,
      () => `-(${below("int")})`,
      () => `size(${below(this.#pick(["string", "bytes", "list", "map"]))})`,
      () => `${below("string")}.size()`,
      () => `int(${this.#pick(EDGES)})`,
      () => `int(${below(this.#pick(["int", "uint", "double", "timestamp", "duration", "string"]))})`,
      () => `${below("timestamp")}.${this.#pick(GETTERS)}(${this.#pick(["", this.#pick(ZONES)])})`,
      () => `${below("duration")}.${this.#pick(["getHours", "getMinutes", "getSeconds", "getMilliseconds"])}()`,
      () => `${below("list")}[${this.#index(below)}]`,
      () => `${below("map")}[${this.#key(below)}]`,
      () => `{true: 1, 2u: 2, 3: 3, 'x': 4}[${below(this.#pick(["bool", "int", "uint", "string", "double"]))}]`,
    ])();
  }

  /** An index of a list. Never a bool, which the library takes for 0 or 1. */
  #index(below: (type: Type) => string): string {
    return this.#pick([
      () => this.#pick(["0", "1", "2u", "1.0", "-1", "9", "0.5", "9223372036854775807"]),
      () => `(${below("int")} + ${below("int")})`,
      () => `size(${below(this.#pick(["string", "list"]))})`,
    ])();
  }

  /** A key of a map, which may turn out to be a list. */
  #key(below: (type: Type) => string): string {
    return this.#pick([
      () => this.#pick(["'k'", "'n'", "1", "1u", "1.0", "'missing'", "1.5"]),
      () => `(${below("string")} + '')`,
      () => `string(${below("int")})`,
      () => this.#index(below),
    ])();
  }

  #bool(below: (type: Type) => string): string {
    const type = this.#pick(TYPES);
    const numeric = () => this.#pick<Type>(["int", "uint", "double"]);
    return this.#pick([
      () => `(${below("bool")} && ${below("bool")})`,
      () => `(${below("bool")} || ${below("bool")})`,
      () => `(${below("bool")} && ${below("bool")} && ${below("bool")} && ${below("bool")})`,
      () => `!(${below("bool")})`,
      () => `(${below(type)} ${this.#pick(["==", "!="])} ${below(type)})`,
      () => `(${below(numeric())} ${this.#pick(["==", "!=", "<", "<=", ">", ">="])} ${below(numeric())})`,
      () => `(${below(type)} ${this.#pick(["<", "<=", ">", ">="])} ${below(type)})`,
      () => `(${below(numeric())} ${this.#pick(["==", "!=", "<", "<=", ">", ">="])} ${this.#pick(EDGES)})`,
      () => `(${below(type)} in ${below("list")})`,
      () => `(${this.#pick(["'k'", "'n'", "1", "1u", "1.0", "1.5", "true"])} in ${below("map")})`,
      () => `has(${this.#pick(["payload", "payload.m", "payload.s", `(${below("map")})`])}.${this.#pick(FIELDS)})`,
      () => `${below("string")}.${this.#pick(["contains", "startsWith", "endsWith"])}(${below("string")})`,
      () => `${below("string")}.matches('${this.#pick(PATTERNS)}')`,
      () => this.#macro(this.#pick(["all", "exists", "exists_one"]), "bool", below),
      () => `(type(${below(type)}) == ${this.#pick(TYPE_NAMES)})`,
      () => `(type(${below(type)}) ${this.#pick(["==", "!="])} type(${below(type)}))`,
      () => `bool(${this.#pick(["'true'", "'0'", "'nope'", below("bool"), below("string")])})`,
      () => `(${below(type)} == dyn(${below(type)}))`,
      () => `(${below("map")} == ${below("map")})`,
      () => `(${below("list")} == ${below("list")})`,
    ])();
  }

  #list(below: (type: Type) => string): string {
    return this.#pick([
      () => `[${below(this.#pick(TYPES))}, ${below(this.#pick(TYPES))}]`,
      () => `(${below("list")} + ${below("list")})`,
      () => this.#macro("filter", "bool", below),
      () => this.#macro("map", this.#pick(TYPES), below),
    ])();
  }

  #macro(name: string, type: Type, below: (type: Type) => string): string {
    const range = below(this.#pick(["list", "list", "map"]));
    // A name that is taken hides what had it: another element, or the payload.
    const isTaken = this.#below(6) === 0;
    const local = isTaken ? this.#pick([...this.#locals, "payload", "meta"]) : `v${this.#locals.length}`;
    this.#locals.push(local);
    const body = below(type);
    const test = name === "map" && this.#below(2) === 0 ? `${below("bool")}, ` : "";
    this.#locals.pop();
    return `${range}.${name}(${local}, ${test}${body})`;
  }
}
