/** Owns the look at what a source emits: a batch that is none must not take slots, numbers or a place in the spool. */

import type { Emission } from "../message/mod.ts";

/**
 * What is wrong with an emission, as the end of a sentence; undefined for a good one. One pass over the ends, which is
 * nothing beside the append; what metadata holds is looked at by whoever prints it.
 */
export function emissionFault(batch: Emission): string | undefined {
  // A plugin that is plain JavaScript may emit anything.
  const given: { readonly [K in keyof Emission]?: unknown } | null | undefined = batch;
  if (typeof given !== "object" || given === null) return "is no object";
  const { bytes, ends, gap, firstSrcSeq, meta, columns } = given;
  if (!(bytes instanceof Uint8Array)) return "has no Uint8Array `bytes`";
  if (!(ends instanceof Uint32Array)) return "has no Uint32Array `ends`";
  if (gap !== 0 && gap !== 1) return `has a \`gap\` that is neither 0 nor 1`;
  if (!Number.isSafeInteger(firstSrcSeq) || Number(firstSrcSeq) < 1) return "has no `firstSrcSeq` of 1 or more";
  if (meta !== undefined && !isRecord(meta)) return "has a `meta` that is no object";
  return endsFault(ends, gap, bytes.length) ?? columnsFault(columns);
}

function endsFault(ends: Uint32Array, gap: number, bytesLength: number): string | undefined {
  let start = 0;
  for (let i = 0; i < ends.length; i++) {
    const end = ends[i]!; // i is within ends.
    if (end < start) return `ends message ${i} at ${end}, before its start at ${start}`;
    start = end + gap;
  }
  const last = start - gap;
  return ends.length > 0 && last > bytesLength ? `ends at ${last}, beyond its ${bytesLength} bytes` : undefined;
}

function columnsFault(columns: unknown): string | undefined {
  if (columns === undefined) return undefined;
  if (!isRecord(columns)) return "has `columns` that are no object";
  for (const key in columns) {
    const column = columns[key];
    const isList = column === undefined || Array.isArray(column) || ArrayBuffer.isView(column);
    if (!isList) return `has a column \`${key}\` that is no list`;
  }
  return undefined;
}

function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
