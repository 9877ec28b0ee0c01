/** Owns the shape of metadata. */

/** What a meta key may hold: JSON, with integers beyond 2^53 as bigint. */
export type MetaValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly MetaValue[]
  | { readonly [key: string]: MetaValue };

/** A message's metadata. Immutable: a change makes a new object. */
export type Meta = { readonly [key: string]: MetaValue };

/** Per-message values of one meta key: element i belongs to message i, `undefined` is absent. */
export type MetaColumn = ArrayLike<MetaValue | undefined>;

/** Per-message metadata by key, a column each. */
export type MetaColumns = { readonly [key: string]: MetaColumn };
