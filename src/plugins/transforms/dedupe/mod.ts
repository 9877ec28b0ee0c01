/** The built-in transform `dedupe`. */
export * from "./dedupe_transform.ts";
