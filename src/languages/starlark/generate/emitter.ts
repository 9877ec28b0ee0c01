/** Owns what generated JavaScript is made of: numbered variables, the constant table and the table of sites. */

import { methodFamily } from "../library/methods.ts";
import type { Binding } from "../resolve/binding.ts";
import type { Signature } from "../resolve/signature.ts";
import type { Value } from "../values/value.ts";

/** The JavaScript of a script and the tables it reads. Of what a script wrote only numbers are in the JavaScript. */
export interface GeneratedCode {
  /** Body of a function of the runtime, the constants, the thread and the environment; it gives the run function. */
  readonly body: string;
  readonly constants: readonly unknown[];
  /** Offsets into the script's text, by site. */
  readonly sites: readonly number[];
}

/** Variables of one generated function. */
interface Frame {
  readonly bindings: readonly string[];
  /** Variables for values that live no longer than the statement they are in; one after the other uses them. */
  readonly temporaries: string[];
  /** How many of them are in use at the place being generated. */
  used: number;
  /** Variables that live as long as the function runs, and the one for values that are looked at once. */
  readonly kept: string[];
  scratch: string | undefined;
}

/** Gathers constants, sites and variables while code is generated. */
export class Emitter {
  readonly #constants: unknown[] = [];
  readonly #texts = new Map<string, string>();
  readonly #families = new Map<string, string>();
  readonly #objects = new Map<unknown, string>();
  readonly #sites: number[] = [];
  readonly #siteByOffset = new Map<number, number>();
  readonly #frames: Frame[] = [];
  readonly #templates: string[] = [];
  #next = 0;

  /** The constants so far. */
  get constants(): readonly unknown[] {
    return this.#constants;
  }

  /** The offsets of the sites so far. */
  get sites(): readonly number[] {
    return this.#sites;
  }

  /** Declarations of what each binding of the script has of its own: its functions' templates. */
  get templates(): readonly string[] {
    return this.#templates;
  }

  /** The variable of a string constant. */
  text(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    // Taken back from an object's keys: property names are then compared by identity, which is what the engine's
    // quickest path needs.
    const name = this.#constant(Object.keys({ [text]: 0 })[0] ?? text);
    this.#texts.set(text, name);
    return name;
  }

  /** The variable of the methods of a name. */
  family(name: string): string {
    let family = this.#families.get(name);
    if (family === undefined) this.#families.set(name, family = this.#constant(methodFamily(name)));
    return family;
  }

  /** The variable of any other constant. */
  constant(value: Value | Signature): string {
    const known = this.#objects.get(value);
    if (known !== undefined) return known;
    const name = this.#constant(value);
    this.#objects.set(value, name);
    return name;
  }

  #constant(value: unknown): string {
    this.#constants.push(value);
    return `k${this.#constants.length - 1}`;
  }

  /** The number of a place in the script's text, as a JavaScript literal. */
  site(offset: number): string {
    let site = this.#siteByOffset.get(offset);
    if (site === undefined) {
      site = this.#sites.length;
      this.#sites.push(offset);
      this.#siteByOffset.set(offset, site);
    }
    return String(site);
  }

  /** The template of a function, made once for each binding of the script. */
  template(shape: Signature): string {
    const name = `f${this.#templates.length}`;
    this.#templates.push(`${name} = template(${this.constant(shape)})`);
    return name;
  }

  /** The variable of a name of the script. */
  variable(binding: Binding): string {
    return `v${binding.id}`;
  }

  /** A new variable of the function being generated. */
  temporary(): string {
    const frame = this.#frames.at(-1);
    const known = frame?.temporaries[frame.used];
    const name = known ?? this.unique("t");
    if (frame !== undefined) {
      frame.used++;
      if (known === undefined) frame.temporaries.push(name);
    }
    return name;
  }

  /**
   * The variable of the function being generated for a value that is looked at right where it is computed: there is one,
   * and whatever is evaluated next may use it.
   */
  scratch(): string {
    const frame = this.#frames.at(-1);
    if (frame === undefined) throw new Error("a scratch variable was asked for outside a function");
    return frame.scratch ??= this.unique("t");
  }

  /** A new variable that the function being generated keeps as long as it runs. */
  kept(): string {
    const name = this.unique("t");
    this.#frames.at(-1)?.kept.push(name);
    return name;
  }

  /** Generates a statement, whose temporaries are free again behind it. */
  statement(generate: () => string): string {
    const frame = this.#frames.at(-1);
    const before = frame?.used ?? 0;
    const code = generate();
    if (frame !== undefined) frame.used = before;
    return code;
  }

  /** A new name that the caller declares itself. */
  unique(prefix: "t" | "c" | "i"): string {
    return `${prefix}${this.#next++}`;
  }

  /**
   * Generates the inside of a function; what it declares is put before it, and before that what `opening` gives for the
   * number of variables declared; those that no script can have many of are not among them.
   */
  frame(bindings: readonly Binding[], generate: () => string, opening: (variables: number) => string): string {
    const variables = bindings.map((binding) => this.variable(binding));
    const frame: Frame = { bindings: variables, temporaries: [], used: 0, kept: [], scratch: undefined };
    this.#frames.push(frame);
    const code = generate();
    this.#frames.pop();
    const counted = [...frame.bindings, ...frame.temporaries];
    const declared = [...counted, ...frame.kept, ...frame.scratch === undefined ? [] : [frame.scratch]];
    return opening(counted.length) + (declared.length === 0 ? code : `let ${declared.join(", ")};\n${code}`);
  }
}
