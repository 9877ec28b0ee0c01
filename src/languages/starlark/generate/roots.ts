/** Owns the generated reads and writes of `payload`, `meta`, `constants` and `parameters`: the hottest path there is. */

import type { Binding } from "../resolve/binding.ts";
import type { Expression } from "../syntax/tree.ts";
import { DICT_FREE, DICT_FRESH } from "../values/dict.ts";
import type { Emitter } from "./emitter.ts";

/** The generated variables of one root: its value, and its dict or a stand-in that has no members. */
export interface Root {
  readonly value: string;
  readonly dict: string;
}

/** A name bound once to what is found on a path below the payload, which never changes. */
export interface Alias {
  readonly path: Member;
  /** JavaScript with what is found there. */
  readonly source: string;
  /** The variable of what was found there, plain data as it came; undefined until the name is bound. */
  readonly data: string;
}

/** An expression with a member of something. */
export type Member = Extract<Expression, { kind: "attribute" | "index" }>;

/** A path of constant names down from a name. */
interface Path {
  readonly base: Binding | undefined;
  readonly names: readonly string[];
}

/**
 * Names that mean something on a JavaScript object, array, text, number or byte array. A member of such a name is
 * looked up by the careful functions only, so that nothing but a message's own data can be found.
 */
const HAZARDS: ReadonlySet<string> = new Set(
  [Object, Array, String, Number, Boolean, BigInt, Function, Uint8Array, Object.getPrototypeOf(Uint8Array)]
    .flatMap((type) => Object.getOwnPropertyNames(type.prototype)),
);
const POSITION_REGEXP = /^[0-9]+$/;

/** Whether compiled code may read and write a member of this name directly. */
export function isPlainName(name: string): boolean {
  return !HAZARDS.has(name) && !POSITION_REGEXP.test(name) && name !== "__proto__";
}

/** The member's name in `a.name` and `a["name"]`; undefined for all else. */
export function writtenName(expression: Expression): string | undefined {
  if (expression.kind === "attribute") return expression.name;
  if (expression.kind !== "index" || expression.index.kind !== "literal") return undefined;
  const { value } = expression.index;
  return value.type === "string" ? value.text : undefined;
}

/** JavaScript with the value of what a dict's record holds: containers of a message become values when looked at. */
export function openMember(dict: string, found: string, key: string): string {
  return `(typeof ${found} !== "object" ? ${found} : ${dict}.open(${found}, ${key}))`;
}

/** JavaScript with the payload's value where it is not made before it is needed. */
const OPENED_PAYLOAD = "(P === undefined ? P = openPayload(raw) : P)";

/** JavaScript with whether plain data are a value as they are. */
function isNoContainer(data: string): string {
  return `(typeof ${data} !== "object" || ${data} === null)`;
}

function isMember(expression: Expression): expression is Member {
  return expression.kind === "attribute" || expression.kind === "index";
}

/** Generates access to the roots. */
export class RootAccess {
  readonly #emitter: Emitter;
  /** Whether nothing can change: then the message's own data are looked at, and the payload is opened when needed. */
  #isReading = false;
  readonly #aliases = new Map<Binding, Alias>();

  constructor(emitter: Emitter) {
    this.#emitter = emitter;
  }

  /** Says that the script cannot change anything. */
  onlyRead(): void {
    this.#isReading = true;
  }

  /** What a name is an alias of, if it is one. */
  alias(binding: Binding): Alias | undefined {
    return this.#aliases.get(binding);
  }

  /**
   * Makes a name that is bound once, to a path below the payload, an alias where nothing can change. Functions may use
   * it before it is bound: it has to be known before any of them is generated.
   */
  addAlias(binding: Binding, value: Expression): void {
    if (!isMember(value)) return;
    const path = this.#path(value);
    const source = path === undefined ? undefined : this.#data(path);
    if (source !== undefined) this.#aliases.set(binding, { path: value, source, data: this.#emitter.kept() });
  }

  /** The statement that binds an alias. A container is made a value only where the name is used as one. */
  bindAlias(binding: Binding, { source, data }: Alias, careful: () => string): string {
    const variable = this.#emitter.variable(binding);
    return `${data} = ${source};
if (${data} === undefined) ${variable} = ${careful()};
else if (${isNoContainer(data)}) ${variable} = ${data};
`;
  }

  /** The root a binding stands for. Meta is opened by its first use: putting it together has a price. */
  root(binding: Binding | undefined): Root | undefined {
    if (binding?.place === "payload") {
      return this.#isReading
        ? { value: OPENED_PAYLOAD, dict: `dictIn(${OPENED_PAYLOAD})` }
        : { value: "P", dict: "PD" };
    }
    if (binding?.place === "meta") {
      const open = "(M = MD = openDict(scope.meta))";
      return { value: `(MD === undefined ? ${open} : M)`, dict: `(MD ?? ${open})` };
    }
    if (binding?.place !== "predeclared") return undefined;
    if (binding.name === "constants") return { value: "constants", dict: "constants" };
    return binding.name === "parameters" ? { value: "parameters", dict: "parameters" } : undefined;
  }

  /**
   * A read such as `payload.user.name`, or undefined when the expression is none. `careful` is the code that reads it
   * the general way: it runs when the member is missing, a container, or not plain data any more.
   */
  read(expression: Expression, careful: () => string): string | undefined {
    const path = this.#path(expression);
    if (path === undefined) return undefined;
    const data = this.#data(path);
    if (data !== undefined) {
      const found = this.#emitter.scratch();
      return `((${found} = ${data}) !== undefined && ${isNoContainer(found)} ? ${found} : ${careful()})`;
    }
    const root = this.root(path.base);
    if (root === undefined) return undefined;
    const found = this.#emitter.temporary();
    const [first = "", ...rest] = path.names.map((name) => this.#emitter.text(name));
    const start = rest.length === 0 ? `${root.dict}.record[${first}]` : `${root.dict}.plain[${first}]`;
    const member = start + rest.map((name) => `?.[${name}]`).join("");
    if (rest.length === 0) {
      return `((${found} = ${member}) !== undefined ? ${openMember(root.dict, found, first)} : ${careful()})`;
    }
    const isScalar = `(typeof ${found} !== "object" || ${found} instanceof StarlarkFloat)`;
    return `((${found} = ${member}) !== undefined && ${isScalar} ? ${found} : ${careful()})`;
  }

  /** A path of plain names down from a name; undefined for all else. */
  #path(expression: Expression): Path | undefined {
    const names: string[] = [];
    let at = expression;
    for (;;) {
      const name = writtenName(at);
      if (name === undefined || (at.kind !== "attribute" && at.kind !== "index")) break;
      names.unshift(name);
      at = at.target;
    }
    return at.kind === "name" && names.length > 0 && names.every(isPlainName) ? { base: at.binding, names } : undefined;
  }

  /** JavaScript with what the message's own data have on a path; undefined where that is not known. */
  #data({ base, names }: Path): string | undefined {
    if (base === undefined || !this.#isReading) return undefined;
    const start = base.place === "payload" ? "raw" : this.#aliases.get(base)?.data;
    return start === undefined ? undefined : start + names.map((name) => `?.[${this.#emitter.text(name)}]`).join("");
  }

  /**
   * The statement that sets a member of a root, or undefined when the target is none. `value` is a variable;
   * `careful` is the general way.
   */
  write(target: Expression, value: string, careful: () => string): string | undefined {
    const path = this.#path(target);
    const root = this.root(path?.base);
    const name = path?.names[0];
    if (root === undefined || name === undefined || path?.names.length !== 1) return undefined;
    const dict = this.#emitter.temporary();
    const key = this.#emitter.text(name);
    return `${dict} = ${root.dict};
if (${dict}.mode === ${DICT_FRESH}) {
${dict}.record = ${dict}.plain = { ...${dict}.record };
${dict}.owned = true;
${dict}.mode = ${DICT_FREE};
}
if (${dict}.mode === ${DICT_FREE}) {
${dict}.record[${key}] = ${value};
if (!isPlain(${value})) ${dict}.mark(${key});
} else ${careful()};
`;
  }
}
