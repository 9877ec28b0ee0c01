/** The built-in transform `fields`. */
export * from "./fields_transform.ts";
