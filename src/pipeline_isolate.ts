/** The entry file of a pipeline's isolate. */
import { type FromPipeline, type IsolateScope, servePipeline, type ToPipeline } from "./isolate/mod.ts";
import { builtins } from "./plugins/mod.ts";

// A module Worker's global scope has these two members; the compiler's library for it cannot be loaded beside ours.
servePipeline(self as unknown as IsolateScope<ToPipeline, FromPipeline>, builtins());
