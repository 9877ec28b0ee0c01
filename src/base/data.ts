/** Owns the shape of plain data. */

/** JSON-like data; integers beyond 2^53 are bigint. */
export type Data = null | boolean | number | bigint | string | readonly Data[] | { readonly [key: string]: Data };
