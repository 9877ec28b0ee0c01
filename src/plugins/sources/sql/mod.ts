/** The built-in source `sql`. */
export { sqlSource } from "./sql_source.ts";
