/** Owns what differs between two values, place by place. */

import type { Data } from "./data.ts";

/** One place that differs: without `before` it is new, without `after` it is gone. */
export interface DataChange {
  /** Such as `payload.lines[0].count` or `meta["content-type"]`. */
  readonly path: string;
  readonly before?: Data;
  readonly after?: Data;
}

const NAME_REGEXP = /^[\p{L}_][\p{L}\p{Nd}_]*$/u;

/** Adds to `changes` how `after` differs from `before`, in the order of the text. Both are plain data. */
export function addChanges(path: string, before: unknown, after: unknown, changes: DataChange[]): void {
  if (before === after) return;
  if (isList(before) && isList(after)) return addItems(path, before, after, changes);
  if (isMapping(before) && isMapping(after)) return addMembers(path, before, after, changes);
  if (Number.isNaN(before) && Number.isNaN(after)) return;
  changes.push({ path, before: before as Data, after: after as Data });
}

function addItems(path: string, before: readonly unknown[], after: readonly unknown[], changes: DataChange[]): void {
  const shared = Math.min(before.length, after.length);
  for (let i = 0; i < shared; i++) addChanges(`${path}[${i}]`, before[i], after[i], changes);
  for (const [i, value] of before.slice(shared).entries()) {
    changes.push({ path: `${path}[${shared + i}]`, before: value as Data });
  }
  for (const [i, value] of after.slice(shared).entries()) {
    changes.push({ path: `${path}[${shared + i}]`, after: value as Data });
  }
}

type Mapping = { readonly [key: string]: unknown };

function addMembers(path: string, before: Mapping, after: Mapping, changes: DataChange[]): void {
  for (const [key, value] of Object.entries(before)) {
    const inner = memberPath(path, key);
    if (Object.hasOwn(after, key)) addChanges(inner, value, after[key], changes);
    else changes.push({ path: inner, before: value as Data });
  }
  for (const [key, value] of Object.entries(after)) {
    if (!Object.hasOwn(before, key)) changes.push({ path: memberPath(path, key), after: value as Data });
  }
}

function memberPath(path: string, key: string): string {
  return NAME_REGEXP.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function isMapping(value: unknown): value is Mapping {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}
