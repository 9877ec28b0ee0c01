/** Owns the built-in transform `script`: a Starlark program run on each message. */

import type { Static } from "typebox";
import { compileStarlark, ScriptError, type ScriptFunction, type ScriptProgram } from "../../../languages/mod.ts";
import type { Message } from "../../../message/mod.ts";
import {
  type PluginContext,
  type PluginIssue,
  type Transform,
  TransformError,
  type TransformPlugin,
  type TransformResult,
} from "../../../plugin/mod.ts";
import { define, text } from "../../../schema/mod.ts";

const schema = text({
  description: "Starlark statements. They read and change `payload` and `meta`; `payload = None` drops the message.",
  examples: ['payload.total = payload.price * payload.quantity\nmeta.tier = "vip" if payload.total > 1000 else "std"'],
});

/** Runs a Starlark program on each message. */
export const scriptTransform: TransformPlugin<typeof schema> = {
  kind: "transform",
  name: "script",
  version: 1,
  summary: "Runs a Starlark program on each message.",
  capabilities: ["explain-safe"],
  failureKinds: ["steps", "runtime"],
  failsForGood: true,
  lanes: true,
  definition: define(schema),
  check,
  assignsRoute: (source) => programOf(source)?.assignsRoute ?? false,
  constantsRead: (source) => programOf(source)?.constantsRead ?? [],
  constantsRequired: (source) => programOf(source)?.constantsRequired ?? [],
  parametersRead: (source) => programOf(source)?.parametersRead ?? [],
  create: (source, context) => new ScriptTransform(source, context),
};

function check(source: Static<typeof schema>): readonly PluginIssue[] {
  const compiled = compileStarlark(source);
  if (compiled.ok) return [];
  return compiled.issues.map((issue) => ({
    code: "expr_starlark_compile",
    path: [],
    offset: issue.offset,
    message: issue.message,
    ...(issue.hint === undefined ? {} : { hint: issue.hint }),
  }));
}

/** The program, or undefined for a text that `check` has issues with. */
function programOf(source: string): ScriptProgram | undefined {
  const compiled = compileStarlark(source);
  return compiled.ok ? compiled.program : undefined;
}

class ScriptTransform implements Transform {
  readonly #run: ScriptFunction;

  constructor(source: string, context: PluginContext) {
    const program = programOf(source);
    if (program === undefined) throw new TransformError("compile", "the script does not compile", { retryable: false });
    this.#run = program.bind(context, {
      print: (line) => context.log.log("debug", line, { node: context.node }),
    });
  }

  init(): void {}

  apply(message: Message): TransformResult {
    try {
      const result = this.#run(message);
      if (result.filtered) return undefined;
      if (!result.payloadChanged && !result.metaChanged) return message;
      return message.derive({
        ...(result.payloadChanged ? { payload: result.payload } : {}),
        ...(result.meta === undefined ? {} : { meta: result.meta }),
      });
    } catch (caught) {
      if (!(caught instanceof ScriptError)) throw caught;
      // A script does the same with the same message every time.
      throw new TransformError(caught.kind, caught.message, {
        backtrace: caught.backtrace,
        cause: caught,
        retryable: false,
      });
    }
  }

  // A run leaves nothing behind, so workers may share it.
  clone(): Transform {
    return this;
  }

  close(): void {}
}
