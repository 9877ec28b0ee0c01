/** The message in its three shapes: as a source emits it, as the spool keeps it, as a node sees it. */
export * from "./emission.ts";
export * from "./message.ts";
export * from "./meta.ts";
export * from "./segment.ts";
