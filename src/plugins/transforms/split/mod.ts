/** The built-in transform `split`. */
export * from "./split_transform.ts";
