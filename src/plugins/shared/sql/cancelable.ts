/** Owns calls to a database server that can be given up, also where the server has fallen silent. */

import { deadline, raceAbort } from "../../../base/mod.ts";
import { canceledError } from "./sql_error.ts";

/** How long a server is asked to stop what it does before the connection is ended all the same. */
const CANCEL_LIMIT_MS = 2_000;

/** A call to a server. */
export interface CancelableCall<T> {
  /** Makes the call. */
  work(): Promise<T>;
  /** Asks the server, over another connection, to stop it; the signal aborts once that has taken too long. */
  cancel(signal: AbortSignal): Promise<void>;
  /** Ends the connection. */
  end(): void;
}

/**
 * Waits for a call. An abort has the server stop it, then ends the connection, and rejects with `canceled` even where
 * the call itself never ends. Else it rejects with what the call rejects with.
 */
export async function cancelable<T>(signal: AbortSignal, call: CancelableCall<T>): Promise<T> {
  if (signal.aborted) throw canceledError();
  const ended = Promise.withResolvers<never>();
  let ending: Promise<void> | undefined;
  const stop = () => ending = giveUp(call).finally(() => ended.reject(canceledError()));
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([call.work(), ended.promise]);
  } catch (caught) {
    throw signal.aborted ? canceledError() : caught;
  } finally {
    signal.removeEventListener("abort", stop);
    await ending;
  }
}

async function giveUp({ cancel, end }: Pick<CancelableCall<unknown>, "cancel" | "end">): Promise<void> {
  using limit = deadline(CANCEL_LIMIT_MS, { what: "cancelling a query" });
  try {
    await raceAbort(cancel(limit.signal), limit.signal);
  } catch {
    // The server cannot be reached, or the query has ended: ending the connection is left.
  }
  end();
}
