/** Owns what a replay is asked for and what it reports. Plain data: both cross to the pipeline's isolate. */

/** Which dead letters. */
export interface LetterRequest {
  readonly kind: "letters";
  /** Only those of one run. */
  readonly runId?: string;
  readonly ids?: readonly number[];
  /** Whether letters are deleted once what they hold has committed. */
  readonly delete: boolean;
}

/** Which spooled messages. */
export interface WindowRequest {
  readonly kind: "spool";
  /** First sequence. */
  readonly from: number;
  /** Last sequence. Default: the last one that is spooled. */
  readonly to?: number;
}

/** What is to be replayed. */
export interface ReplayRequest {
  readonly what: LetterRequest | WindowRequest;
  /** Only what became a letter, or came in, at this time or later. */
  readonly sinceMs?: number;
  /** CEL; see {@linkcode compileLetterCondition} and {@linkcode compileMessageCondition}. */
  readonly where?: string;
  /** The node to enter. Default: the failing node, or the one that the message entered first. */
  readonly at?: string;
  /** Messages at most. */
  readonly limit: number;
}

/** What a replay has done. */
export interface ReplayReport {
  /** Messages that were brought in again. */
  readonly replayed: number;
  /** Letters that were deleted. */
  readonly deleted: number;
  /** Whether there was more than the limit lets through. */
  readonly more: boolean;
  /** Messages for which the condition could not be evaluated: they count as not chosen. */
  readonly unjudged: number;
}
