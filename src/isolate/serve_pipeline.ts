/** Owns the pipeline isolate's side of the protocol: what its entry file calls. */

import type { Plugin } from "../plugin/mod.ts";
import { PipelineHost } from "./pipeline_host.ts";
import type { FromPipeline, ToPipeline } from "./protocol.ts";

/** The part of a Worker's global scope that an isolate uses. */
export interface IsolateScope<Received, Sent> {
  onmessage: ((event: MessageEvent<Received>) => void) | null;
  postMessage(message: Sent): void;
}

/**
 * Serves one pipeline in a Worker. The entry file of a pipeline isolate calls this with its global scope and the
 * plugins a pipeline may use, and does nothing else. What plugins print goes to the standard error: the standard output
 * is the program's answer, or, in a hosting process, its way to speak to the supervisor.
 */
export function servePipeline(scope: IsolateScope<ToPipeline, FromPipeline>, plugins: readonly Plugin[]): void {
  // deno-lint-ignore eventboat/console -- nothing is printed here: what others print is sent where it does no harm
  console.log = console.info = console.debug = console.error;
  const host = new PipelineHost({ post: (message) => scope.postMessage(message) }, plugins);
  // A host reports every failure as its outcome; what rejects here is a mistake and ends the isolate, which is told.
  scope.onmessage = ({ data }) => void host.receive(data);
}
