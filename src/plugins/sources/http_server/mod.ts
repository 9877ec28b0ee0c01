/** The built-in source `http_server`. */
export * from "./http_server_source.ts";
