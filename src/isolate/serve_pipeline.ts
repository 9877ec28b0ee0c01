/** Owns what the entry file of an isolate with plugins calls: it becomes a pipeline's isolate, or a lane's. */

import type { Plugin } from "../plugin/mod.ts";
import { PipelineHost } from "./pipeline_host.ts";
import type { FromLane, FromPipeline, ToLane, ToPipeline } from "./protocol.ts";
import { serveLane } from "./serve_lane.ts";

/** The part of a Worker's global scope that an isolate uses. */
export interface IsolateScope<Received, Sent> {
  onmessage: ((event: MessageEvent<Received>) => void) | null;
  postMessage(message: Sent): void;
}

/** What an isolate with plugins is told: the first message says what it is to be. */
export type ToPluginIsolate = ToPipeline | ToLane;

/** What an isolate with plugins says. */
export type FromPluginIsolate = FromPipeline | FromLane;

/**
 * Serves one pipeline in a Worker, or one lane of a transform: both need the plugins that a pipeline may use. The entry
 * file of such an isolate calls this with its global scope and these plugins, and does nothing else. What plugins print
 * goes to the standard error: the standard output is the program's answer, or, in a hosting process, its way to speak
 * to the supervisor.
 */
export function servePipeline(
  scope: IsolateScope<ToPluginIsolate, FromPluginIsolate>,
  plugins: readonly Plugin[],
): void {
  // deno-lint-ignore eventboat/console -- nothing is printed here: what others print is sent where it does no harm
  console.log = console.info = console.debug = console.error;
  const post = (message: FromPluginIsolate) => scope.postMessage(message);
  const host = new PipelineHost({ post }, plugins);
  scope.onmessage = ({ data }) => {
    if (data.kind === "serve_lane") serveLane(data, plugins, post);
    // A host reports every failure as its outcome; what rejects here is a mistake and ends the isolate, which is told.
    else void host.receive(data);
  };
}
