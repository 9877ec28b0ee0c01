/** The built-in source `kafka`. */
export { kafkaSource } from "./kafka_source.ts";
