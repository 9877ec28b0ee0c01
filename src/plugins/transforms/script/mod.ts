/** The built-in transform `script`. */
export * from "./script_transform.ts";
