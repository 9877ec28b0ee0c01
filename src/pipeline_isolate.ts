/** The entry file of every isolate that knows the plugins: a pipeline's, and those of its transforms' lanes. */
import { type FromPluginIsolate, type IsolateScope, servePipeline, type ToPluginIsolate } from "./isolate/mod.ts";
import { builtins } from "./plugins/mod.ts";

// A module Worker's global scope has these two members; the compiler's library for it cannot be loaded beside ours.
servePipeline(self as unknown as IsolateScope<ToPluginIsolate, FromPluginIsolate>, builtins());
