/** Owns the walk of a message through a plan: what the engine would do with it, without a store and without the world. */

import { deadline, raceAbort } from "../base/mod.ts";
import { EventboatError } from "../diagnostics/mod.ts";
import type { Message } from "../message/mod.ts";
import { Masking, type Plan, type PlanEdge, type PlanNode, type PlanSink, type PlanTransform } from "../plan/mod.ts";
import {
  type Applied,
  asTransformError,
  type BatchPolicy,
  checkedResult,
  encodeMessage,
  type PluginContext,
  spreadOutputs,
  strictestPolicy,
  type Transform,
  TransformError,
  unencodable,
  unordered,
  untransformable,
} from "../plugin/mod.ts";
import { EdgeTests } from "./edge_tests.ts";
import { enterSample, type ExplainSample } from "./sample.ts";
import { Showing, type ShownContent } from "./showing.ts";
import type { Walk, WalkEdge, WalkFailure, WalkOutput, WalkStep } from "./walk.ts";
import { WalkRecord } from "./walk_record.ts";

/** Steps of one walk: a `split` may make a million messages of one, and nobody reads on. */
const STEPS_MAX = 1_000;

/** What a walk needs beside the plan. */
export interface WalkerOptions extends Pick<PluginContext, "parameters" | "clock" | "random" | "meter"> {
  /** Most steps of one walk. Default 1000. */
  readonly stepsMax?: number;
}

/** A transform that may be executed, and what it printed since it was asked last. */
interface Opened {
  readonly transform: Transform;
  readonly printed: string[];
}

/** The message in a node, with the edge it came over. */
interface Arrival {
  readonly edge: PlanEdge | undefined;
  readonly message: Message;
  readonly record: WalkRecord;
}

/** Explains one message. @throws {EventboatError} `usage` for a node or codec that the plan does not have. */
export async function explainMessage(plan: Plan, sample: ExplainSample, options: WalkerOptions): Promise<Walk> {
  await using walker = new Walker(plan, options);
  return await walker.explain(sample);
}

/** Explains messages of one plan; makes each transform once, when it is first reached. */
export class Walker implements AsyncDisposable {
  readonly #plan: Plan;
  readonly #options: WalkerOptions;
  readonly #nodes: ReadonlyMap<string, PlanNode>;
  readonly #tests: EdgeTests;
  readonly #showing: Showing;
  readonly #transforms = new Map<string, Opened>();
  readonly #orderKeys = new Map<string, (message: Message) => string>();

  constructor(plan: Plan, options: WalkerOptions) {
    this.#plan = plan;
    this.#options = options;
    this.#nodes = new Map(plan.nodes.map((node) => [node.name, node]));
    this.#tests = new EdgeTests({ constants: plan.constants, parameters: options.parameters });
    this.#showing = new Showing(new Masking(plan.redact, plan.secrets));
  }

  /**
   * Takes one message through the plan. Transforms that are safe to explain are executed, conditions and order keys
   * evaluated, messages encoded for their sinks; nothing is written.
   * @throws {EventboatError} `usage` for a node or codec that the plan does not have; `node_failed` for a transform that
   * cannot begin.
   */
  async explain(sample: ExplainSample): Promise<Walk> {
    const entered = enterSample(this.#plan, sample);
    const { node, message, isNone } = entered;
    const record = new WalkRecord(this.#options.stepsMax ?? STEPS_MAX);
    if (entered.undecodable !== undefined) {
      const failure = this.#showing.failure("decode", entered.undecodable, message);
      record.add(identity(node, undefined), { state: "dead_letter", failure });
    } else if (isNone) {
      record.add(identity(node, undefined), { state: "filtered", note: "the bytes hold no message" });
    } else await this.#visit(node, { edge: undefined, message, record });
    const { payload, meta } = this.#showing.content(message);
    return {
      at: node.name,
      codec: message.codec,
      ...(entered.undecodable !== undefined || isNone ? {} : { payload }),
      meta,
      ...record.end(),
    };
  }

  /** Gives the number of the step; undefined where the walk is cut short. */
  async #visit(node: PlanNode, arrival: Arrival): Promise<number | undefined> {
    const { edge, message, record } = arrival;
    const step = record.open();
    if (step === undefined) return undefined;
    const who = identity(node, edge);
    if (node.kind === "source") {
      const output = await this.#leave(node, message, { before: undefined, record });
      record.close(step, who, { state: output.filtered ? "filtered" : "passed", outputs: [output] });
    } else if (node.kind === "sink") record.close(step, who, this.#intoSink(node, arrival));
    else record.close(step, who, await this.#throughTransform(node, arrival));
    return step;
  }

  async #throughTransform(node: PlanTransform, arrival: Arrival): Promise<StepEnd> {
    const { edge, message, record } = arrival;
    const about = node.about?.();
    if (about?.capabilities.includes("explain-safe") !== true) {
      const note = about?.note === undefined ? "" : `: ${about.note}`;
      return {
        state: "not_executed",
        note: `${node.plugin} is not executed by explain${note}`,
        undecided: this.#imagineBehind(node, record),
      };
    }
    const { transform, printed } = await this.#open(node);
    printed.length = 0;
    const policy = strictestPolicy([edge?.delivery]);
    const applied = await this.#apply(node, transform, message, policy);
    const said = printed.length === 0 ? {} : { printed: this.#showing.lines(printed, message) };
    if (applied instanceof TransformError) {
      const failure = {
        ...this.#showing.failure(applied.kind, untransformable(node.plugin, applied.message), message),
        ...this.#showing.backtrace(applied.backtrace, message),
        attempts: applied.retryable ? policy.retries + 1 : 1,
      };
      return { ...said, ...failed(edge, failure) };
    }
    const results: Message[] = [];
    // `isArray` does not know lists that are read-only.
    if (Array.isArray(applied)) spreadOutputs(applied as readonly Message[], results);
    else if (applied !== undefined) results.push(applied as Message);
    if (results.length === 0) return { ...said, state: "filtered", note: "the transform gave nothing" };
    const outputs: WalkOutput[] = [];
    // Of many outputs, each would say again what came in.
    const { payload, meta } = this.#showing.content(message);
    const before = results.length > 1 ? { meta } : { payload, meta };
    for (const result of results) {
      if (record.isFull) break;
      outputs.push(await this.#leave(node, result, { before: result === message ? undefined : before, record }));
    }
    const isFiltered = outputs.every(({ filtered }) => filtered);
    return { ...said, state: isFiltered ? "filtered" : "passed", outputs };
  }

  /** One attempt, as a worker of the engine makes it. */
  async #apply(
    { name }: PlanTransform,
    transform: Transform,
    message: Message,
    { timeoutMs }: BatchPolicy,
  ): Promise<Applied> {
    using limit = deadline(timeoutMs, { clock: this.#options.clock, what: `transform ${name}` });
    try {
      return checkedResult(
        await raceAbort(Promise.try(() => transform.apply(message, limit.signal)), limit.signal),
        message,
      );
    } catch (caught) {
      if (limit.expired) return new TransformError("timeout", `took longer than ${timeoutMs} ms`, { cause: caught });
      return asTransformError(caught);
    }
  }

  /** Decides every edge of a node for one message, then follows those it takes. */
  async #leave(
    node: PlanNode,
    message: Message,
    { before, record }: { readonly before: Partial<ShownContent> | undefined; readonly record: WalkRecord },
  ): Promise<WalkOutput> {
    const decided = node.outputs.map((edge) => ({ edge, ...this.#tests.decide(edge, message) }));
    const edges: WalkEdge[] = [];
    for (const { edge, taken, error } of decided) {
      const target = this.#nodes.get(edge.to);
      const step = taken && target !== undefined ? await this.#visit(target, { edge, message, record }) : undefined;
      edges.push({
        ...labels(edge),
        taken,
        ...(error === undefined ? {} : { error: this.#showing.text(error, message) }),
        ...(step === undefined ? {} : { step }),
      });
    }
    const filtered = decided.every(({ taken }) => !taken);
    if (filtered) record.count("filtered");
    return { ...this.#showing.output(message, before), edges, filtered };
  }

  #intoSink(node: PlanSink, { edge, message }: Arrival): StepEnd {
    const { encoder } = node;
    let key: { readonly order_key?: string } = {};
    if (node.orderKey !== undefined) {
      try {
        key = { order_key: this.#showing.text(this.#orderKey(node, node.orderKey)(message), message) };
      } catch (caught) {
        const reason = unordered(EventboatError.from(caught, "expression").message);
        return failed(edge, this.#showing.failure("encode", reason, message));
      }
    }
    try {
      const encoded = encodeMessage(message, encoder);
      return { state: "given", ...key, encoded: this.#showing.encoded(message, encoder, encoded) };
    } catch (caught) {
      const why = caught instanceof Error ? caught.message : String(caught);
      return failed(edge, this.#showing.failure("encode", unencodable(encoder.name, why), message));
    }
  }

  #orderKey({ name }: PlanSink, orderKey: NonNullable<PlanSink["orderKey"]>): (message: Message) => string {
    const known = this.#orderKeys.get(name);
    if (known !== undefined) return known;
    const bound = orderKey.bind({ constants: this.#plan.constants, parameters: this.#options.parameters });
    this.#orderKeys.set(name, bound);
    return bound;
  }

  /** What may come behind a node that was not executed: each node once, nothing decided. */
  #imagineBehind(node: PlanNode, record: WalkRecord): readonly WalkEdge[] {
    return node.outputs.map((edge): WalkEdge => {
      const target = this.#nodes.get(edge.to);
      const step = target === undefined || record.isImagined(edge.to) ? undefined : record.open();
      if (step === undefined || target === undefined) return labels(edge);
      record.imagine(edge.to);
      const undecided = this.#imagineBehind(target, record);
      record.close(step, identity(target, edge), {
        state: "unknown",
        ...(undecided.length === 0 ? {} : { undecided }),
      });
      return { ...labels(edge), step };
    });
  }

  async #open(node: PlanTransform): Promise<Opened> {
    const known = this.#transforms.get(node.name);
    if (known !== undefined) return known;
    const printed: string[] = [];
    try {
      const transform = node.create(this.#context(node, (line) => printed.push(line)));
      this.#transforms.set(node.name, { transform, printed });
      await transform.init();
      return { transform, printed };
    } catch (caught) {
      throw EventboatError.from(caught, "node_failed", { node: node.name });
    }
  }

  #context(node: PlanTransform, print: (line: string) => void): PluginContext {
    const { parameters, clock, random, meter } = this.#options;
    const { name: pipeline, directory, constants, limits } = this.#plan;
    return {
      pipeline,
      node: node.name,
      directory,
      constants,
      parameters,
      clock,
      random,
      meter,
      log: { log: (_level, line) => print(line) },
      durability: "process",
      batchMessagesMax: limits.maxInFlight,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const opened = [...this.#transforms.values()];
    this.#transforms.clear();
    for (const { transform } of opened) await transform.close();
  }
}

/** The part of a step that says how it ended. */
type StepEnd = Omit<WalkStep, "step" | "node" | "kind" | "plugin" | "edge">;

function identity({ name, kind, plugin }: PlanNode, edge: PlanEdge | undefined) {
  return { node: name, kind, plugin, ...(edge === undefined ? {} : { edge: edge.label }) };
}

/** The edge with its condition, as they are shown. */
function labels({ label, to, condition }: PlanEdge): WalkEdge {
  return { edge: label, to, ...(condition === undefined ? {} : { condition: condition.shown ?? condition.text }) };
}

/** An edge that is not required drops what fails behind it. */
function failed(edge: PlanEdge | undefined, failure: WalkFailure): StepEnd {
  return { state: edge?.required === false ? "dropped" : "dead_letter", failure };
}
