/** The durable side of a pipeline: segments, checkpoint, source states, dead letters. */
export * from "./contract.ts";
