/** Owns what a value of a script is. */

/**
 * Whatever a script can hold. None is null, an int is a whole number within 2^53 or else a bigint, a float that is not
 * whole is a number; everything else is a {@linkcode StarlarkObject}.
 */
export type Value = null | boolean | number | bigint | string | StarlarkObject;

/** Values that JavaScript has no form of its own for. */
export abstract class StarlarkObject {
  /** The name `type()` gives. */
  abstract get type(): string;
}

/** A float whose value is whole: kept apart from the int of the same value. */
export class StarlarkFloat extends StarlarkObject {
  readonly value: number;

  constructor(value: number) {
    super();
    this.value = value;
  }

  override get type(): string {
    return "float";
  }
}

/** A byte string; never changed once made. */
export class StarlarkBytes extends StarlarkObject {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    super();
    this.bytes = bytes;
  }

  override get type(): string {
    return "bytes";
  }
}

/** A tuple; never changed once made. */
export class StarlarkTuple extends StarlarkObject {
  readonly items: readonly Value[];

  constructor(items: readonly Value[]) {
    super();
    this.items = items;
  }

  override get type(): string {
    return "tuple";
  }
}

/** The numbers of `range(start, stop, step)`, computed when asked for. */
export class StarlarkRange extends StarlarkObject {
  readonly start: number | bigint;
  readonly stop: number | bigint;
  readonly step: number | bigint;
  /** Number of elements; from 2^53 on about as many. */
  readonly length: number;
  /** Number of elements. */
  readonly exactLength: number | bigint;
  /** Whether its elements and their positions are numbers; then these say where it begins and how it goes on. */
  readonly #isSmall: boolean;
  readonly #first: number;
  readonly #by: number;

  /** Bounds are ints, numbers wherever they are exact; the step is not 0. */
  constructor(start: number | bigint, stop: number | bigint, step: number | bigint) {
    super();
    this.start = start;
    this.stop = stop;
    this.step = step;
    this.exactLength = rangeLength(start, stop, step);
    this.length = Number(this.exactLength);
    const isShort = typeof this.exactLength === "number";
    this.#isSmall = isShort && typeof start === "number" && typeof stop === "number" && typeof step === "number";
    this.#first = Number(start);
    this.#by = Number(step);
  }

  override get type(): string {
    return "range";
  }

  /** The element at a position from 0. */
  at(index: number | bigint): number | bigint {
    if (this.#isSmall) return this.#first + Number(index) * this.#by;
    return this.edge(index);
  }

  /** What stands at a position, or would stand at one behind the last. */
  edge(index: number | bigint): number | bigint {
    return int(BigInt(this.start) + BigInt(index) * BigInt(this.step));
  }

  /** Ranges are never changed: ending an iteration needs nothing. */
  close(): void {}
}

function rangeLength(start: number | bigint, stop: number | bigint, step: number | bigint): number | bigint {
  if (typeof start === "number" && typeof stop === "number" && typeof step === "number") {
    const [span, stride] = step > 0 ? [stop - start, step] : [start - stop, -step];
    // One less before and one more after, as a quotient that is rounded to a whole one would lose its last element.
    if (Number.isSafeInteger(span)) return span <= 0 ? 0 : Math.floor((span - 1) / stride) + 1;
  }
  const [first, end, by] = [BigInt(start), BigInt(stop), BigInt(step)];
  const [span, stride] = by > 0n ? [end - first, by] : [first - end, -by];
  return span <= 0n ? 0 : int((span - 1n) / stride + 1n);
}

/** A module such as `json`. */
export class StarlarkModule extends StarlarkObject {
  readonly name: string;
  readonly members: ReadonlyMap<string, Value>;

  constructor(name: string, members: ReadonlyMap<string, Value>) {
    super();
    this.name = name;
    this.members = members;
  }

  override get type(): string {
    return "module";
  }
}

/** How a {@linkcode StarlarkView} shows and what it can do. */
export interface ViewForm {
  readonly text: string;
  readonly isSequence: boolean;
}

/** What `elems()` and its kin give: elements computed beforehand, to iterate over, and to index where it is a sequence. */
export class StarlarkView extends StarlarkObject {
  readonly #type: string;
  readonly items: readonly Value[];
  /** How `repr` shows it. */
  readonly text: string;
  /** Whether it has a length and can be indexed. */
  readonly isSequence: boolean;

  constructor(type: string, items: readonly Value[], { text, isSequence }: ViewForm) {
    super();
    this.#type = type;
    this.items = items;
    this.text = text;
    this.isSequence = isSequence;
  }

  override get type(): string {
    return this.#type;
  }
}

/** The name `type()` gives for any value. */
export function typeName(value: Value): string {
  if (value === null) return "NoneType";
  switch (typeof value) {
    case "boolean":
      return "bool";
    case "number":
      return Number.isInteger(value) ? "int" : "float";
    case "bigint":
      return "int";
    case "string":
      return "string";
    default:
      return value.type;
  }
}

/** A float value: boxed when it is whole, as it would be an int otherwise. */
export function float(value: number): Value {
  return Number.isInteger(value) ? new StarlarkFloat(value) : value;
}

/** An int value: a number when it fits exactly, else a bigint. */
export function int(value: bigint): number | bigint {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

/** Whether the value is an int. */
export function isInt(value: Value): value is number | bigint {
  return typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value));
}

/** The number in a float of either form, or undefined for what is no float. */
export function floatOf(value: Value): number | undefined {
  if (value instanceof StarlarkFloat) return value.value;
  return typeof value === "number" && !Number.isInteger(value) ? value : undefined;
}
