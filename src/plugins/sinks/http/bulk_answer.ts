/** Owns answers that judge each message of a request by itself: a 2xx over a list of statuses. */

import type { Static } from "typebox";
import { foundText } from "../../../base/mod.ts";
import { type PartialFailure, SinkError } from "../../../plugin/mod.ts";
import { block, optional, text } from "../../../schema/mod.ts";
import { isRetryableStatus } from "../../shared/http_failure.ts";
import { isMapping, type Path, PATH_PATTERN, readPath, splitPath } from "../../shared/payload_path.ts";

/** In a path: whatever the only name is. */
const ANY_NAME = "*";
/** How much of an answer is read. Longer ones tell too little to act on. */
export const BULK_ANSWER_BYTES_MAX = 16 * 1024 * 1024;
/** How much is told of what an answer says of one message. */
const TOLD_CHARACTERS_MAX = 200;

const path = (description: string) => ({ description, pattern: PATH_PATTERN, expected: "a dotted path such as a.b" });

/** The fields of a `bulk_answer` block. */
export const bulkAnswerSchema = block({
  items: text({
    ...path("Where the list stands in the JSON of an answer: an element a message, in the order of the request."),
    default: "items",
  }),
  status: text({
    ...path("Where an element holds its HTTP status; `*` stands for the only name there is, as in `*.status`."),
    default: "status",
  }),
  error: optional(text(path("Where an element says what is wrong, for the dead letter. Default: all of it."))),
}, {
  description:
    "Reads from a 2xx answer what became of each message, and treats it by its own status. For `body` other than " +
    "`message`.",
});

/** A `bulk_answer` block with its defaults. */
export type BulkAnswerConfig = Static<typeof bulkAnswerSchema>;

/**
 * The messages that an answer says have failed.
 * @param what what was attempted
 * @param size how many messages the request held
 * @throws {SinkError} the answer does not say what became of each: all of them may go again
 */
export function bulkFailures(
  answer: string,
  { what, size, config, retryAfterMs }: {
    readonly what: string;
    readonly size: number;
    readonly config: BulkAnswerConfig;
    readonly retryAfterMs: number | undefined;
  },
): readonly PartialFailure[] {
  const items = itemsOf(answer, splitPath(config.items), what);
  if (items.length !== size) {
    throw new SinkError(`${what}: the answer judges ${items.length} messages, and the request held ${size}`);
  }
  const statusPath = splitPath(config.status);
  const errorPath = config.error === undefined ? [] : splitPath(config.error);
  const failures: PartialFailure[] = [];
  for (const [index, item] of items.entries()) {
    const status = readAny(item, statusPath);
    if (typeof status !== "number" || !Number.isInteger(status)) {
      const found = foundText(status);
      throw new SinkError(
        `${what}: element ${index} of the answer must hold a status at ${config.status}, found ${found}`,
      );
    }
    if (status >= 200 && status < 300) continue;
    const told = JSON.stringify(readAny(item, errorPath) ?? item)?.slice(0, TOLD_CHARACTERS_MAX);
    const retryable = isRetryableStatus(status);
    const error = new SinkError(`${what}: answered ${status} for this message: ${told}`, {
      retryable,
      ...(retryable && retryAfterMs !== undefined ? { retryAfterMs } : {}),
    });
    failures.push({ index, error });
  }
  return failures;
}

function itemsOf(answer: string, path: Path, what: string): readonly unknown[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(answer);
  } catch (caught) {
    throw new SinkError(`${what}: the answer must be JSON that judges each message, and it is none`, { cause: caught });
  }
  const items = readPath(parsed, path);
  if (!Array.isArray(items)) {
    throw new SinkError(`${what}: the answer must hold a list at ${path.join(".")}, found ${foundText(items)}`);
  }
  return items;
}

/** The value at a path in which a name may be any. */
function readAny(item: unknown, path: Path): unknown {
  let value = item;
  for (const name of path) {
    const names = isMapping(value) ? Object.keys(value) : [];
    value = name !== ANY_NAME ? readPath(value, [name]) : names.length === 1 ? readPath(value, names) : undefined;
  }
  return value;
}
