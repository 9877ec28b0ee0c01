/** The built-in source `file`. */
export { fileSource } from "./file_source.ts";
