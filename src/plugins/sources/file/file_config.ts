/** Owns the block of the `file` source: its fields, defaults and ranges. */

import type { Static } from "typebox";
import { block, choice, define, flag, integer, optional, text } from "../../../schema/mod.ts";

const DAY_MS = 86_400_000;
/** Longest line or group of lines that may be asked for. */
const TEXT_BYTES_MAX = 16 * 1024 * 1024;

/** Most lines of one message, unless told. */
export const MULTILINE_LINES_DEFAULT = 500;
/** Most bytes of one message of several lines, unless told. */
export const MULTILINE_BYTES_DEFAULT = 1024 * 1024;
/** How long a message waits for its next line, unless told. */
export const MULTILINE_TIMEOUT_MS_DEFAULT = 2000;

const multiline = block({
  pattern: text({
    maxLength: 1024,
    description: "Regular expression (JavaScript, `(?i)` in front allowed) that is looked for in every line.",
    examples: ["^\\d{4}-\\d{2}-\\d{2}", "^\\s"],
  }),
  negate: flag({ default: false, description: "Whether the lines that do not match are the ones that are joined." }),
  match: choice(["after", "before"], {
    default: "after",
    description:
      "Whether a joined line belongs to the line before it (`after`) or to the line that follows (`before`).",
  }),
  max_lines: integer({
    default: MULTILINE_LINES_DEFAULT,
    minimum: 1,
    maximum: 100_000,
    description: "Most lines in one message; the next line begins another.",
  }),
  max_bytes: integer({
    default: MULTILINE_BYTES_DEFAULT,
    minimum: 1,
    maximum: TEXT_BYTES_MAX,
    description: "Most bytes of the file in one message of several lines; the line that would pass it begins another.",
  }),
  timeout_ms: integer({
    default: MULTILINE_TIMEOUT_MS_DEFAULT,
    minimum: 0,
    maximum: DAY_MS,
    description:
      "How long a message waits for another line before it is sent as it is, while tailing. 0: until one comes.",
  }),
}, {
  description:
    "Joins several lines into one message. Without it a line is a message, or what the decoder takes for one: a " +
    "record of `csv` goes on where a line ends in quotes, within the same limits.",
});

/** The block of the `file` source. */
export const fileDefinition = define(block({
  path: text({
    description:
      "File, or glob (`*`, `**`, `?`, `[a-z]`, `{a,b}`), absolute or from the pipeline file's folder. A name " +
      "that begins with a dot is matched by a pattern that begins with a dot.",
    examples: ["/var/log/app/*.log", "in/**/*.ndjson"],
  }),
  encoding: text({
    default: "utf-8",
    description: "Character encoding of the files, turned into UTF-8. A byte order mark at a file's start decides.",
    examples: ["utf-8", "utf-16le", "utf-16be", "latin1"],
  }),
  poll_every_ms: integer({
    default: 250,
    minimum: 10,
    maximum: 3_600_000,
    description: "How often new files and new lines are looked for.",
  }),
  start_at: choice(["beginning", "end"], {
    default: "beginning",
    description: "Where files are read from that are there at the very first start. Later ones are read whole.",
  }),
  on_eof: choice(["tail", "stop"], {
    default: "tail",
    description: "What follows when all is read: wait for more, or end.",
  }),
  close_inactive_ms: integer({
    default: 300_000,
    minimum: 10,
    maximum: 30 * DAY_MS,
    description: "A file that has not grown for this long is closed; it is opened again when it grows.",
  }),
  ignore_older_ms: integer({
    default: 0,
    minimum: 0,
    maximum: 36_500 * DAY_MS,
    description: "What an unknown file holds is left out if it was last written longer ago than this. 0: nothing is.",
  }),
  clean_removed: flag({
    default: true,
    description: "Whether the position in a file is forgotten a minute after the file is gone.",
  }),
  max_line_bytes: integer({
    default: 262_144,
    minimum: 1,
    maximum: TEXT_BYTES_MAX,
    description: "Longest line, in bytes of the file, without its line end.",
  }),
  oversize: choice(["truncate", "skip"], {
    default: "truncate",
    description: "What becomes of a longer line: its beginning is sent, or nothing. Either is counted.",
  }),
  multiline: optional(multiline),
  host: optional(text({ maxLength: 255, description: "Value of `meta.host`. Default: the host name." })),
  compression: choice(["none", "gzip", "zstd", "auto"], {
    default: "none",
    description: "How the files are compressed; `auto` goes by `.gz` and `.zst`. Only with `on_eof: stop`.",
  }),
}));

/** A block with its defaults filled in. */
export type FileConfig = Static<typeof fileDefinition.schema>;

/** The `multiline` part of a block. */
export type MultilineConfig = NonNullable<FileConfig["multiline"]>;
