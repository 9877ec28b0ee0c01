/** Owns what is made of trouble with a cluster: whether it may pass, and what to say of it. */

import { EventboatError, reasonOf } from "../../../diagnostics/mod.ts";
import { SinkError } from "../../../plugin/mod.ts";

/** Trouble that waiting does not cure: the cluster understood, and said no. */
const LASTING_TYPES: ReadonlySet<string> = new Set([
  "CLUSTER_AUTHORIZATION_FAILED",
  "GROUP_AUTHORIZATION_FAILED",
  "ILLEGAL_SASL_STATE",
  "INCONSISTENT_GROUP_PROTOCOL",
  "INVALID_GROUP_ID",
  "INVALID_REQUIRED_ACKS",
  "INVALID_SESSION_TIMEOUT",
  "INVALID_TOPIC_EXCEPTION",
  "KafkaJSSASLAuthenticationError",
  "KafkaJSServerDoesNotSupportApiKey",
  "POLICY_VIOLATION",
  "SASL_AUTHENTICATION_FAILED",
  "SECURITY_DISABLED",
  "TOPIC_AUTHORIZATION_FAILED",
  "UNSUPPORTED_COMPRESSION_TYPE",
  "UNSUPPORTED_FOR_MESSAGE_FORMAT",
  "UNSUPPORTED_SASL_MECHANISM",
  "UNSUPPORTED_VERSION",
  "TokenRefusal",
  // Certificates that do not fit; one that has expired may be renewed any moment.
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);
/** The answer of a broker that does not know a topic, or not yet. */
export const UNKNOWN_TOPIC = "UNKNOWN_TOPIC_OR_PARTITION";
/** How the library says that it has tried often enough; what it tried is the cause. */
const WRAPPERS: ReadonlySet<string> = new Set([
  "KafkaJSError",
  "KafkaJSNonRetriableError",
  "KafkaJSNumberOfRetriesExceeded",
]);
const CAUSES_MAX = 5;
/** What may be done about trouble that the brokers' words do not explain. */
const HINTS: { readonly [type: string]: string | undefined } = {
  ILLEGAL_SASL_STATE: "The port is of a listener that knows no login: leave `sasl` out, or take another port.",
  KafkaJSConnectionClosedError: "Where this goes on, the port may be of a listener that wants `tls` or `sasl`.",
};

/** Trouble with a cluster. */
export interface KafkaTrouble {
  /** The protocol's name of it, or the library's class. */
  readonly type: string;
  readonly message: string;
  /** Whether another attempt cannot help. */
  readonly lasting: boolean;
  /** What may be done about it, where more than waiting comes to mind. */
  readonly hint: string | undefined;
  readonly cause: unknown;
}

/** An answer of a broker that says what went wrong, by the protocol's number. */
export class KafkaAnswerError extends Error {
  override readonly name = "KafkaAnswerError";
  readonly code: number;

  constructor(code: number) {
    super(ANSWERS[code]?.[1] ?? `the broker answered with error ${code}`);
    this.code = code;
  }

  /** The protocol's name of it. */
  get type(): string {
    return ANSWERS[this.code]?.[0] ?? `ERROR_${this.code}`;
  }
}

/** What brokers answer to requests that are read and written here, by the protocol's number. */
const ANSWERS: { readonly [code: number]: readonly [type: string, meaning: string] | undefined } = {
  [-1]: ["UNKNOWN", "the broker met an error that it does not explain"],
  1: ["OFFSET_OUT_OF_RANGE", "the offset is not in the log"],
  2: ["CORRUPT_MESSAGE", "the records are damaged"],
  3: [UNKNOWN_TOPIC, "the broker does not know this topic or partition"],
  5: ["LEADER_NOT_AVAILABLE", "the partition has no leader at the moment"],
  6: ["NOT_LEADER_OR_FOLLOWER", "the broker does not lead the partition"],
  7: ["REQUEST_TIMED_OUT", "the replicas did not confirm in time"],
  10: ["MESSAGE_TOO_LARGE", "the records are larger than the topic takes (max.message.bytes)"],
  17: ["INVALID_TOPIC_EXCEPTION", "the topic's name is not allowed"],
  18: ["RECORD_LIST_TOO_LARGE", "the records are larger than a segment of the topic's log"],
  19: ["NOT_ENOUGH_REPLICAS", "fewer replicas are in sync than the topic wants (min.insync.replicas)"],
  20: ["NOT_ENOUGH_REPLICAS_AFTER_APPEND", "fewer replicas are in sync than the topic wants (min.insync.replicas)"],
  21: ["INVALID_REQUIRED_ACKS", "the broker does not take this value of acks"],
  29: ["TOPIC_AUTHORIZATION_FAILED", "the user may not use the topic"],
  31: ["CLUSTER_AUTHORIZATION_FAILED", "the user may not do this in the cluster"],
  32: ["INVALID_TIMESTAMP", "a timestamp is further away than the topic takes"],
  43: ["UNSUPPORTED_FOR_MESSAGE_FORMAT", "the topic's message format is too old"],
  44: ["POLICY_VIOLATION", "a policy of the cluster refuses it"],
  45: ["OUT_OF_ORDER_SEQUENCE_NUMBER", "the broker missed an earlier batch of this producer"],
  46: ["DUPLICATE_SEQUENCE_NUMBER", "the broker has this batch already"],
  47: ["INVALID_PRODUCER_EPOCH", "the broker knows a newer life of this producer"],
  56: ["KAFKA_STORAGE_ERROR", "the broker's disk fails"],
  59: ["UNKNOWN_PRODUCER_ID", "the broker has forgotten this producer"],
  74: ["FENCED_LEADER_EPOCH", "the broker's view of the partition's leader is newer"],
  75: ["UNKNOWN_LEADER_EPOCH", "the broker's view of the partition's leader is older"],
  76: ["UNSUPPORTED_COMPRESSION_TYPE", "the broker is too old for this compression"],
  87: ["INVALID_RECORD", "the broker's checks refuse a record, such as one without a key in a compacted topic"],
  89: ["THROTTLING_QUOTA_EXCEEDED", "a quota is used up"],
};

/** Looks into what was caught. */
export function kafkaTrouble(caught: unknown): KafkaTrouble {
  const error = innermost(caught);
  const type = typeOf(error);
  const lasting = LASTING_TYPES.has(type) || isFinal(error);
  return { type, message: reasonOf(error), lasting, hint: HINTS[type], cause: error };
}

/** Whose error it becomes. */
interface LastingOptions {
  readonly node: string;
  readonly failure: "source_failed" | "sink_failed";
}

/** The error of the program for trouble that lasts; `what` says what was attempted. */
export function lastingError(what: string, trouble: KafkaTrouble, { node, failure }: LastingOptions): EventboatError {
  if (trouble.cause instanceof EventboatError) return trouble.cause;
  const code = isPermission(trouble.cause) ? "permission" : failure;
  const { message, cause, hint } = trouble;
  return new EventboatError(code, `${what}: ${message}`, { cause, node, ...(hint === undefined ? {} : { hint }) });
}

/** Whether an error of ours says that another attempt cannot help. */
function isFinal(error: unknown): boolean {
  return isPermission(error) || (error instanceof SinkError && !error.retryable);
}

function isPermission(error: unknown): boolean {
  return error instanceof Deno.errors.NotCapable || (error instanceof EventboatError && error.code === "permission");
}

function innermost(caught: unknown): unknown {
  let error = caught;
  for (let i = 0; i < CAUSES_MAX; i++) {
    if (!(error instanceof Error) || !(error.cause instanceof Error) || !WRAPPERS.has(error.name)) return error;
    error = error.cause;
  }
  return error;
}

function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if ("type" in error && typeof error.type === "string") return error.type;
  // A connection's error has the platform's code, such as that of a certificate.
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
