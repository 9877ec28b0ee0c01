/** Owns the choice of a union's branch for a value. */

import { isMapping } from "../../shared/found_in_payload.ts";
import { mappingBranches, typeName, type UnionType } from "./avro_type.ts";
import type { ByteWriter } from "./byte_writer.ts";
import { mismatch, within } from "./datum_trouble.ts";
import type { DatumWriter } from "./datum_writer.ts";

/** A branch a value was found for. */
interface Choice {
  readonly index: number;
  readonly value: unknown;
  /** The name that the value was wrapped in. */
  readonly wrapping?: string;
}

/**
 * Makes the writer of a union. A value stands for itself and goes to the first branch it is like, else to the first it
 * may be; a mapping of one key that is a branch's name, `{name: value}`, says its branch. Where several branches are
 * mappings the saying comes first, as nothing else tells them apart; where one is, its own fields do.
 */
export function compileUnion(type: UnionType, writers: readonly DatumWriter[]): DatumWriter {
  const names = type.branches.map(typeName);
  const wraps = mappingBranches(type).length > 1;

  const named = (value: unknown): Choice | undefined => {
    if (!isMapping(value)) return undefined;
    const keys = Object.keys(value);
    const [name = ""] = keys;
    const index = keys.length === 1 ? names.indexOf(name) : -1;
    return index < 0 ? undefined : { index, value: value[name], wrapping: name };
  };
  const likely = (value: unknown): Choice | undefined => {
    const index = writers.findIndex((writer) => writer.isLike(value));
    if (index >= 0) return { index, value };
    const possible = writers.findIndex((writer) => writer.mayBe(value));
    return possible < 0 ? undefined : { index: possible, value };
  };
  const choose = (value: unknown): Choice | undefined =>
    (wraps ? named(value) ?? likely(value) : likely(value) ?? named(value)) ?? lonelyMapping(value);
  /** Whatever is wrong with a mapping is best told by the one branch it can be. */
  const lonelyMapping = (value: unknown): Choice | undefined => {
    const index = type.branches.findIndex(({ kind }) => kind === "record" || kind === "map");
    return index < 0 || wraps || !isMapping(value) ? undefined : { index, value };
  };

  const nullable = nullableBranch(type);
  return {
    isLike: (value) => choose(value) !== undefined,
    mayBe: () => false,
    write(to: ByteWriter, value: unknown) {
      if (nullable !== undefined) {
        // By far the most common union, and the most common values.
        if (value === null) return to.long(1 - nullable);
        if (typeof value !== "object") {
          to.long(nullable);
          return writers[nullable]?.write(to, value);
        }
      }
      const choice = choose(value);
      if (choice === undefined) {
        const how = wraps ? `; a mapping says which it is: {"${names.find((_, i) => isNamed(type, i))}": ...}` : "";
        throw mismatch(`one of ${names.join(", ")}${how}`, value);
      }
      to.long(choice.index);
      try {
        writers[choice.index]?.write(to, choice.value);
      } catch (caught) {
        throw choice.wrapping === undefined ? caught : within(caught, choice.wrapping);
      }
    },
  };
}

/** The other branch of a union of two with null; undefined for any other union. */
function nullableBranch({ branches }: UnionType): number | undefined {
  if (branches.length !== 2) return undefined;
  const nulls = branches.findIndex(({ kind }) => kind === "null");
  return nulls < 0 ? undefined : 1 - nulls;
}

function isNamed({ branches }: UnionType, index: number): boolean {
  const kind = branches[index]?.kind;
  return kind === "record" || kind === "map";
}
