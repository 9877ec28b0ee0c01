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

/** A path of constant names down from a root. */
interface Path {
  readonly root: Root;
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

/** Generates access to the roots. */
export class RootAccess {
  readonly #emitter: Emitter;

  constructor(emitter: Emitter) {
    this.#emitter = emitter;
  }

  /** The root a binding stands for. Meta is opened by its first use: putting it together has a price. */
  root(binding: Binding | undefined): Root | undefined {
    if (binding?.place === "payload") return { value: "P", dict: "PD" };
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
    if (path === undefined || path.names.length === 0) return undefined;
    if (!path.names.every(isPlainName)) return undefined;
    const found = this.#emitter.temporary();
    const [first = "", ...rest] = path.names.map((name) => this.#emitter.text(name));
    const start = rest.length === 0 ? `${path.root.dict}.record[${first}]` : `${path.root.dict}.plain[${first}]`;
    const member = start + rest.map((name) => `?.[${name}]`).join("");
    if (rest.length === 0) {
      return `((${found} = ${member}) !== undefined ? ${openMember(path.root.dict, found, first)} : ${careful()})`;
    }
    const isScalar = `(typeof ${found} !== "object" || ${found} instanceof StarlarkFloat)`;
    return `((${found} = ${member}) !== undefined && ${isScalar} ? ${found} : ${careful()})`;
  }

  #path(expression: Expression): Path | undefined {
    const names: string[] = [];
    let at = expression;
    for (;;) {
      const name = writtenName(at);
      if (name === undefined || (at.kind !== "attribute" && at.kind !== "index")) break;
      names.unshift(name);
      at = at.target;
    }
    const root = at.kind === "name" ? this.root(at.binding) : undefined;
    return root === undefined ? undefined : { root, names };
  }

  /**
   * The statement that sets a member of a root, or undefined when the target is none. `value` is a variable;
   * `careful` is the general way.
   */
  write(target: Expression, value: string, careful: () => string): string | undefined {
    const path = this.#path(target);
    const name = path?.names[0];
    if (path === undefined || name === undefined || path.names.length !== 1 || !isPlainName(name)) return undefined;
    const dict = this.#emitter.temporary();
    const key = this.#emitter.text(name);
    return `${dict} = ${path.root.dict};
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
