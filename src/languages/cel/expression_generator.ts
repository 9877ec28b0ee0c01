/** Owns making random expressions over a payload: for tests that compare two evaluators. */

/** Levels an expression nests at most. */
const DEPTH_MAX = 4;

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
  bool: ["true", "false", "payload.t", "payload.items[0].on", "payload.missing"],
  bytes: ["b''", "b'abc'", "b'\\xff'", "payload.e"],
  double: ["0.0", "1.0", "1.5", "-2.5", "1e18", "payload.n", "payload.f", "payload.z", "payload.m.x.y", "payload['n']"],
  duration: ["duration('1h')", "duration('-1.5s')", "duration('0')", "duration('90m')"],
  int: ["0", "1", "2", "-1", "9007199254740993", "9223372036854775807", "-9223372036854775808", "payload.big", "0x1F"],
  list: [
    "[]",
    "[1, 2, 3]",
    "[1.0, 'a', true]",
    "['abc', 'x']",
    "payload.a",
    "payload.l",
    "payload.mixed",
    "payload.items",
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
  ],
  null: ["null"],
  string: [
    "''",
    "'abc'",
    "'x'",
    "'é'",
    "'1'",
    "'true'",
    "payload.s",
    "payload.e",
    "payload.m.k",
    "payload.constructor",
  ],
  timestamp: [
    "timestamp('2024-02-29T12:00:00Z')",
    "timestamp('1969-12-31T23:59:59.5Z')",
    "timestamp('2009-02-13T23:31:30.123456789+05:30')",
  ],
  uint: ["0u", "1u", "2u", "18446744073709551615u"],
};

const FIELDS = ["n", "s", "k", "x", "missing", "constructor", "length", "toString", "id"];
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
];

/** Makes expressions: mostly of fitting types, sometimes not. The same ones for the same seed. */
export class ExpressionGenerator {
  #state: number;
  #locals: string[] = [];

  constructor(seed: number) {
    this.#state = seed;
  }

  /** The next expression. */
  next(): string {
    return this.#of(this.#pick(TYPES), DEPTH_MAX);
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
    const type = this.#below(12) === 0 ? this.#pick(TYPES) : wanted;
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
          () => `string(${below(this.#pick(["bool", "string", "int", "uint", "double", "bytes", "duration"]))})`,
        ])();
      case "list":
        return this.#list(below);
      case "map":
        return `{${this.#pick(["'a'", "1", "2u", "false"])}: ${below(this.#pick(TYPES))}, 'z': ${below("int")}}`;
      case "double":
        return this.#pick([
          () => `(${below("double")} ${this.#pick(["+", "-", "*", "/"])} ${below("double")})`,
          () => `-(${below("double")})`,
          () => `double(${below(this.#pick(["int", "uint", "double"]))})`,
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
          () => `uint(${below(this.#pick(["int", "double", "uint"]))})`,
        ])();
      case "bytes":
        return this.#pick([() => `(${below("bytes")} + ${below("bytes")})`, () => `bytes(${below("string")})`])();
      case "timestamp":
        return `(${below("timestamp")} ${this.#pick(["+", "-"])} ${below("duration")})`;
      case "duration":
        return this.#pick([
          () => `(${below("duration")} ${this.#pick(["+", "-"])} ${below("duration")})`,
          () => `(${below("timestamp")} - ${below("timestamp")})`,
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
      () => `int(${below(this.#pick(["int", "uint", "double", "timestamp", "duration"]))})`,
      () => `${below("timestamp")}.${this.#pick(GETTERS)}(${this.#pick(["", this.#pick(ZONES)])})`,
      () => `${below("duration")}.${this.#pick(["getHours", "getMinutes", "getSeconds"])}()`,
      () => `${below("list")}[${this.#pick(["0", "1", "2u", "1.0", "-1", "9"])}]`,
      () => `${below("map")}[${this.#pick(["'k'", "'n'", "1", "1u", "1.0", "'missing'"])}]`,
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
      () => `(${below(type)} in ${below("list")})`,
      () => `(${this.#pick(["'k'", "'n'", "1", "1u", "1.0", "1.5", "true"])} in ${below("map")})`,
      () => `has(${this.#pick(["payload", "payload.m", "payload.s", below("map")])}.${this.#pick(FIELDS)})`,
      () => `${below("string")}.${this.#pick(["contains", "startsWith", "endsWith"])}(${below("string")})`,
      () => `${below("string")}.matches('${this.#pick(["^a.c$", "[0-9]+", "", "(x|y)+", "(?i)ABC", "\\\\pL"])}')`,
      () => this.#macro(this.#pick(["all", "exists", "exists_one"]), "bool", below),
      () => `(type(${below(type)}) == ${this.#pick(["int", "string", "list", "map", "null_type", "double", "type"])})`,
      () => `bool(${this.#pick(["'true'", "'0'", "'nope'", below("bool")])})`,
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
    const local = `v${this.#locals.length}`;
    this.#locals.push(local);
    const body = below(type);
    const test = name === "map" && this.#below(2) === 0 ? `${below("bool")}, ` : "";
    this.#locals.pop();
    return `${range}.${name}(${local}, ${test}${body})`;
  }
}
