/** Plugins that reach for what their pipeline does not need: each message says for what. */

import {
  block,
  define,
  flag,
  type Message,
  type SinkPlugin,
  type SourcePlugin,
  text,
  type Transform,
  type TransformPlugin,
} from "../../../mod.ts";

const schema = block({ folder: text({ description: "Folder of the pipeline, absolute." }) });

/** What the transform tries, by the name that a message gives. None may succeed. */
const ATTEMPTS: { readonly [name: string]: (folder: string) => unknown } = {
  connect: () => Deno.connect({ hostname: "127.0.0.1", port: 8099 }),
  fetch: () => fetch("http://127.0.0.1:8099/"),
  listen: () => Deno.listen({ hostname: "127.0.0.1", port: 0 }),
  read: (folder) => Deno.readTextFileSync(`${folder}/secret.txt`),
  write: (folder) => Deno.writeTextFileSync(`${folder}/secret.txt`, "changed"),
  "read store": (folder) => Deno.readFileSync(`${folder}/data/stores/intruder.db`),
  "write store": (folder) => Deno.writeTextFileSync(`${folder}/data/stores/intruder.db`, "gone"),
  "unlock store": (folder) => Deno.removeSync(`${folder}/data/stores/intruder.db.lock`),
  run: () => new Deno.Command("/bin/true").outputSync(),
  env: () => Deno.env.get("HOME"),
  "write env": () => Deno.env.set("HOME", "elsewhere"),
  ffi: () => Deno.dlopen("libc.so.6", {}),
  sys: () => Deno.osRelease(),
};

/** What the transform lets through. */
export const PASS = "pass";

/** What transform and sink do for ever when a message says so, and let nothing else of their isolate have a turn. */
export const SPIN = "spin";

/** What ends the isolate of transform or sink when a message says so: an error that nobody can catch. */
export const DIE = "die";

function die(): never {
  throw new Error("nobody can catch this");
}

/** Every attempt's name. */
export const ATTEMPT_NAMES: readonly string[] = Object.keys(ATTEMPTS);

/** Does what a message says in `attempt`. */
export const intruderTransform: TransformPlugin<typeof schema> = {
  kind: "transform",
  name: "intruder",
  version: 1,
  summary: "Tries to break out.",
  capabilities: [],
  lanes: true,
  definition: define(schema),
  create: ({ folder }): Transform => ({
    init() {},
    async apply(message: Message) {
      const attempt = attemptOf(message);
      if (attempt === PASS) return message;
      if (attempt === SPIN) { for (;;); }
      if (attempt === DIE) await new Promise(() => setTimeout(() => void die(), 0));
      const act = ATTEMPTS[attempt];
      if (act === undefined) throw new TypeError(`there is no attempt "${attempt}"`);
      await act(folder);
      return message;
    },
    close() {},
  }),
};

const sinkSchema = block({
  folder: text({ description: "Folder of the pipeline, absolute." }),
  opens: flag({ description: "Reads what it may not as soon as it is opened.", default: false }),
});

/** Does what a message says in `attempt`, or reads what it may not before there is a message. */
export const intruderSink: SinkPlugin<typeof sinkSchema> = {
  kind: "sink",
  name: "intruder",
  version: 1,
  summary: "Tries to break out.",
  capabilities: [],
  definition: define(sinkSchema),
  maxBatch: () => 1,
  create: ({ folder, opens }) => ({
    async open() {
      if (opens) await Deno.readTextFile(`${folder}/secret.txt`);
    },
    async write(batch) {
      for (let i = 0; i < batch.size; i++) {
        const attempt = attemptOf(batch.message(i));
        if (attempt === SPIN) { for (;;); }
        if (attempt === DIE) await new Promise(() => setTimeout(() => void die(), 0));
        await ATTEMPTS[attempt]?.(folder);
      }
    },
    close() {},
  }),
};

function attemptOf(message: Message): string {
  return (message.payload as { attempt: string }).attempt;
}

/** Reads what it may not as soon as it runs. */
export const intruderSource: SourcePlugin<typeof schema> = {
  kind: "source",
  name: "intruder",
  version: 1,
  summary: "Reads a file that its block does not name.",
  capabilities: ["finite"],
  definition: define(schema),
  create: ({ folder }) => ({
    init() {},
    async run() {
      await Deno.readTextFile(`${folder}/secret.txt`);
    },
    commit: () => undefined,
    close() {},
  }),
};
