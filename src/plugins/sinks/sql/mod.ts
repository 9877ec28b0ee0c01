/** The built-in sink `sql`. */
export { sqlSink } from "./sql_sink.ts";
