/** Owns the list of plugins that come with the program. */

import type { Plugin } from "../plugin/mod.ts";
import { avroCodec } from "./codecs/avro/mod.ts";
import { csvCodec } from "./codecs/csv/mod.ts";
import { jsonCodec } from "./codecs/json/mod.ts";
import { protobufCodec } from "./codecs/protobuf/mod.ts";
import { rawCodec } from "./codecs/raw/mod.ts";
import { cronSource } from "./sources/cron/mod.ts";
import { kafkaSource } from "./sources/kafka/mod.ts";
import { httpServerSource } from "./sources/http_server/mod.ts";
import { sqlSource } from "./sources/sql/mod.ts";
import { debugSink } from "./sinks/debug/mod.ts";
import { dropSink } from "./sinks/drop/mod.ts";
import { fileSource } from "./sources/file/mod.ts";
import { fileSink } from "./sinks/file/mod.ts";
import { httpSink } from "./sinks/http/mod.ts";
import { kafkaSink } from "./sinks/kafka/mod.ts";
import { victoriaLogsSink } from "./sinks/victorialogs/mod.ts";
import { sqlSink } from "./sinks/sql/mod.ts";
import { dedupeTransform } from "./transforms/dedupe/mod.ts";
import { fieldsTransform } from "./transforms/fields/mod.ts";
import { scriptTransform } from "./transforms/script/mod.ts";
import { splitTransform } from "./transforms/split/mod.ts";

/** Every built-in plugin, by kind and then in the order of the reference. A `Registry` is made from it. */
export function builtins(): readonly Plugin[] {
  return [
    fileSource,
    httpServerSource,
    cronSource,
    kafkaSource,
    sqlSource,
    scriptTransform,
    splitTransform,
    fieldsTransform,
    dedupeTransform,
    fileSink,
    httpSink,
    sqlSink,
    kafkaSink,
    victoriaLogsSink,
    dropSink,
    debugSink,
    jsonCodec,
    rawCodec,
    csvCodec,
    avroCodec,
    protobufCodec,
  ];
}
