/** The built-in sink `kafka`. */
export { kafkaSink } from "./kafka_sink.ts";
