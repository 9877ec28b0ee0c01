/** Owns what stands in for the sources of an engine. */

/** What brings messages in where the sources stay off, such as a replay. */
export interface Feed {
  /**
   * Called once, when everything of an earlier run has entered. Brings messages in through the engine; once it resolves,
   * the engine ends with the last commit. Must end when `signal` aborts. Rejecting ends the engine as failed.
   */
  run(signal: AbortSignal): Promise<void>;
  /** Called once at the end, while sinks are still open. Must end when `signal` aborts. */
  flush?(signal: AbortSignal): Promise<void>;
}
