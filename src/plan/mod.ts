/** From document to plan: topology, plugins, codecs, expressions, lint. */
export * from "./plan.ts";
