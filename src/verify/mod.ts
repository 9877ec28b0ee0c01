/** The one load, build, judge composition. */
export * from "./fix_files.ts";
export * from "./verify_file.ts";
