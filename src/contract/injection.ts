/** Owns the making of injected messages from what a suite says: fixtures, payloads written there, raw texts. */

import { didYouMeanOneOf } from "../base/mod.ts";
import { type DiagnosticBag, reasonOf, type Span } from "../diagnostics/mod.ts";
import type { InjectedMessage } from "../engine/mod.ts";
import type { Meta } from "../message/mod.ts";
import type { Plan, PlanCodec } from "../plan/mod.ts";
import type { Placed, Suite } from "./suite.ts";
import type { SuiteFolder } from "./suite_folder.ts";
import type { InjectionText } from "./suite_schema.ts";

/** Messages that enter at one node, together. */
export interface Injection {
  readonly at: string;
  readonly messages: readonly InjectedMessage[];
}

/** The codec that payloads are written in, and that suites speak. */
const JSON_CODEC = "json";
const JSON_FILE_REGEXP = /\.json$/i;
const LINES_FILE_REGEXP = /\.(?:ndjson|jsonl)$/i;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

const encoder = new TextEncoder();

/** What the making of injections needs. */
export interface InjectionScope {
  readonly suite: Suite;
  readonly folder: SuiteFolder;
  readonly bag: DiagnosticBag;
}

/** Reads every fixture of an injection, for the findings. */
export function readFixtures({ value, path }: Placed<InjectionText>, { suite, folder }: InjectionScope): void {
  for (const [index, message] of (value.messages ?? []).entries()) {
    if (typeof message === "string") folder.read(message, suite.span([...path, "messages", index]), "the fixture");
  }
}

/** The messages of an injection; undefined, with findings, where something about it is wrong. */
export function makeInjection(
  injection: Placed<InjectionText>,
  plan: Plan,
  scope: InjectionScope,
): Injection | undefined {
  const { value: { at, messages, raw }, path } = injection;
  const { suite, bag } = scope;
  const codec = codecOf(injection, plan, scope);
  if ((messages === undefined) === (raw === undefined)) {
    const message = messages === undefined
      ? "an injection needs messages: fixtures and payloads under `messages`, or texts under `raw`"
      : "an injection has `messages` or `raw`, not both";
    bag.report("suite_injection", suite.span(path), message, {
      hint: "a list under `inject` holds several injections",
    });
    return undefined;
  }
  if (codec === undefined) return undefined;
  const maker = new MessageMaker(scope, plan, codec);
  const bytes = raw === undefined
    ? (messages ?? []).map((one, index) => maker.bytesOf(one, suite.span([...path, "messages", index])))
    : [typeof raw === "string" ? [encoder.encode(raw)] : raw.map((text) => encoder.encode(text))];
  if (bytes.includes(undefined)) return undefined;
  // Metadata is plain data from YAML, which is what metadata may hold.
  const meta = injection.value.meta as Meta | undefined;
  const made: InjectedMessage[] = bytes.flatMap((some) => some ?? []).map((one) => ({
    bytes: one,
    codec: codec.name,
    ...(meta === undefined ? {} : { meta }),
  }));
  return { at, messages: made };
}

/** The codec of an injection: its own, a source's decoder, else JSON. Reports a node or codec that is none. */
function codecOf({ value, path }: Placed<InjectionText>, plan: Plan, { suite, bag }: InjectionScope) {
  const node = plan.nodes.find(({ name }) => name === value.at);
  if (node === undefined) {
    const message = `the pipeline "${plan.name}" has no node "${value.at}" to inject at`;
    const hint = didYouMeanOneOf(value.at, plan.nodes.map(({ name }) => name));
    bag.report("suite_node", suite.span([...path, "at"]), message, { hint });
    return undefined;
  }
  if (value.codec === undefined) return node.kind === "source" ? node.decoder : plan.codecs.get(JSON_CODEC);
  const codec = plan.codecs.get(value.codec);
  if (codec === undefined) {
    const message = `the pipeline "${plan.name}" has no codec "${value.codec}"`;
    const hint = didYouMeanOneOf(value.codec, plan.codecs.keys());
    bag.report("suite_codec", suite.span([...path, "codec"]), message, { hint });
  }
  return codec;
}

/** Makes the bytes of messages in one codec. */
class MessageMaker {
  readonly #scope: InjectionScope;
  readonly #json: PlanCodec | undefined;
  readonly #codec: PlanCodec;

  constructor(scope: InjectionScope, plan: Plan, codec: PlanCodec) {
    this.#scope = scope;
    this.#json = plan.codecs.get(JSON_CODEC);
    this.#codec = codec;
  }

  /** The bytes of the messages that one element stands for. */
  bytesOf(element: unknown, span: Span): readonly Uint8Array[] | undefined {
    if (typeof element !== "string") return listed(this.#encoded(element, span, "the payload"));
    const bytes = this.#scope.folder.read(element, span, "the fixture");
    if (bytes === undefined) return undefined;
    if (JSON_FILE_REGEXP.test(element)) return listed(this.#converted(bytes, span, `the fixture "${element}"`));
    if (!LINES_FILE_REGEXP.test(element)) return [bytes];
    const lines = linesOf(bytes);
    // Lines in the codec of the node are what arrives there, be they well-formed or not.
    if (this.#codec.name === JSON_CODEC) return lines;
    const made = lines.map((line, index) =>
      this.#converted(line, span, `message ${index + 1} of the fixture "${element}"`)
    );
    return made.includes(undefined) ? undefined : made.filter((one) => one !== undefined);
  }

  #converted(bytes: Uint8Array, span: Span, what: string): Uint8Array | undefined {
    try {
      const payload = this.#json?.codec.decode(bytes);
      return this.#encoded(payload, span, what);
    } catch (caught) {
      this.#scope.bag.report("suite_fixture", span, `${what} is no JSON: ${reasonOf(caught)}`, {
        hint: "bytes that are no JSON go under `raw`, or into a file whose name does not end in .json",
      });
      return undefined;
    }
  }

  #encoded(payload: unknown, span: Span, what: string): Uint8Array | undefined {
    try {
      return this.#codec.codec.encode(payload);
    } catch (caught) {
      const message = `${what} cannot be written in the codec "${this.#codec.name}": ${reasonOf(caught)}`;
      this.#scope.bag.report("suite_fixture", span, message, {
        hint: "give the message as it arrives: under `raw`, or as a file of bytes",
      });
      return undefined;
    }
  }
}

function listed(bytes: Uint8Array | undefined): readonly Uint8Array[] | undefined {
  return bytes === undefined ? undefined : [bytes];
}

/** The lines of a text, those without content left out. */
function linesOf(bytes: Uint8Array): readonly Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 ? bytes.length : newline;
    const line = bytes.subarray(start, end > start && bytes[end - 1] === RETURN ? end - 1 : end);
    if (line.length > 0) lines.push(line);
    start = end + 1;
  }
  return lines;
}
