/** Owns the `codecs` section. */

import { nameProblem } from "../../schema/mod.ts";
import type { CodecDeclaration } from "../document.ts";
import { type Entry, type MappingTree, treeData } from "../tree.ts";
import type { ValueReader } from "../value_reader.ts";

/** Reads `codecs`, in document order; those with mistakes are left out. `registered`: names that codecs have already. */
export function readCodecs(
  root: MappingTree,
  registered: readonly string[],
  reader: ValueReader,
): readonly CodecDeclaration[] {
  const mapping = reader.field(root, "codecs", (tree) => reader.mapping(tree, "cfg_codecs_type", "codecs"));
  const declarations = [...mapping?.entries ?? []].map(([name, entry]) => readCodec(name, entry, registered, reader));
  return declarations.filter((declaration) => declaration !== undefined);
}

function readCodec(
  name: string,
  entry: Entry,
  registered: readonly string[],
  reader: ValueReader,
): CodecDeclaration | undefined {
  const problem = nameProblem(name);
  if (problem !== undefined) reader.report("cfg_name_invalid", entry.key, `the codec name "${name}" ${problem}`);
  if (registered.includes(name)) {
    reader.report("cfg_codec_shadow", entry.key, `"${name}" is the name of a registered codec; choose another`);
  }
  const mapping = reader.mapping(entry.value, "cfg_codecs_type", `codecs.${name}`);
  if (mapping === undefined) return undefined;
  const type = mapping.entries.get("type");
  if (type === undefined) {
    reader.report("cfg_codec_type", entry.key, `codecs.${name}.type is required: the codec to configure`);
    return undefined;
  }
  const plugin = reader.text(type.value, "cfg_codec_type", `codecs.${name}.type`);
  if (plugin === undefined) return undefined;
  const fields = new Map(mapping.entries);
  fields.delete("type");
  return { name, plugin, block: treeData({ ...mapping, entries: fields }), path: ["codecs", name] };
}
