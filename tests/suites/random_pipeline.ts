/** Owns pipelines drawn by chance: documents that pass verify, and messages of which some go wrong in them. */

/** Gives a whole number from 0 to below `below`; the same ones for the same seed. */
export type Draw = (below: number) => number;

/** A generator of numbers from a seed. */
export function drawFrom(seed: number): Draw {
  let state = (seed * 2654435761 + 12345) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(state / 2 ** 32 * below);
  };
}

/** A pipeline and what its sources are to emit. */
export interface RandomPipeline {
  /** The document: JSON, which is YAML. */
  readonly text: string;
  readonly samples: ReadonlyMap<string, readonly Uint8Array[]>;
}

const SCRIPTS = [
  "payload.n = payload.n + 1",
  'if payload.n > 50: fail("too large: %d" % payload.n)',
  'if payload.get("n", 0) == 3: payload = None',
  'meta.route = "a" if payload.get("n", 1) % 2 == 0 else "b"',
  "x = 1",
  'payload.big = 9007199254740993\npayload.text = json.encode(payload.get("items"))',
  "def total(items):\n    return sum_of(items)\n\ndef sum_of(items):\n    s = 0\n    for i in items: s += i\n    return s\n\n" +
  'payload.total = total(payload["items"])',
  'payload = payload.get("items", 7)',
  'for i in range(200000 if type(payload.get("n")) == "float" else 3): pass',
  "payload.seen = constants.limit + len(payload)",
  "payload = json.encode(payload)",
];

const CONDITIONS: readonly unknown[] = [
  'payload.region == "eu"',
  "payload.n > 10",
  "payload.missing == 1",
  "has(payload.n) && payload.n < double(constants.limit)",
  'has(meta.route) && meta.route == "a"',
  'meta.source.startsWith("in")',
  "size(payload.items) > 1",
  "true",
  { lang: "cesql", expr: "sample LIKE '%1'" },
  { lang: "cesql", expr: "data.region = 'us'" },
  { lang: "cesql", expr: "data.n > 20" },
];

const ENCODERS = ["json", "json", "json", "raw", "table"];
const DECODERS = ["json", "json", "json", "raw", "lines"];
const ORDER_KEYS = ["payload.region", "meta.source", 'payload.n > 1.0 ? "high" : "low"'];

/** Draws a pipeline with so many messages, shared among its sources. */
export function randomPipeline(draw: Draw, messages: number): RandomPipeline {
  const pick = <Item>(items: readonly Item[]): Item => items[draw(items.length)] as Item; // Lists above are not empty.
  const sources: Record<string, unknown> = {};
  const transforms: Record<string, unknown> = {};
  const sinks: Record<string, Record<string, unknown>> = {};
  const open = new Set<string>();
  const nodes: string[] = [];
  const decoders = new Map<string, string>();
  for (let i = 0; i <= draw(2); i++) {
    const name = `in${i}`;
    decoders.set(name, pick(DECODERS));
    sources[name] = { decoder: decoders.get(name), file: { path: `in${i}.txt`, on_eof: "stop" } };
    open.add(name);
    nodes.push(name);
  }
  for (let i = 0; i < draw(6); i++) {
    const name = `t${i}`;
    transforms[name] = { depends_on: edgesFrom(nodes, { draw, open, pick }), ...randomTransform(draw, pick) };
    open.add(name);
    nodes.push(name);
  }
  for (let i = 0; i <= draw(3); i++) {
    sinks[`out${i}`] = {
      depends_on: edgesFrom(nodes, { draw, open, pick }),
      encoder: pick(ENCODERS),
      file: { path: `out${i}.txt` },
      ...(draw(4) === 0 ? { order_key: pick(ORDER_KEYS) } : {}),
      ...(draw(4) === 0 ? { batch: { size: 1 + draw(20), timeout_ms: 1 } } : {}),
    };
  }
  if (open.size > 0) {
    sinks["rest"] = { depends_on: [...open], file: { path: "rest.txt" } };
  }
  const text = JSON.stringify({
    ...HEAD,
    sources,
    ...(nodes.some((name) => name in transforms) ? { transforms } : {}),
    sinks,
  });
  const share = Math.ceil(messages / decoders.size);
  return {
    text,
    samples: new Map([...decoders].map(([name, codec]) => [
      name,
      Array.from({ length: share }, () => new TextEncoder().encode(randomMessage(draw, pick, codec))),
    ])),
  };
}

const HEAD = {
  apiVersion: "eventboat/v1",
  kind: "Pipeline",
  metadata: { name: "random" },
  run: { mode: "batch" },
  constants: { limit: 30 },
  codecs: {
    table: { type: "csv", columns: [{ name: "n", type: "int" }, { name: "region", type: "string" }] },
    lines: { type: "csv", columns: [{ name: "n", type: "int" }, { name: "region", type: "string" }], header: true },
  },
};

type Pick = <Item>(items: readonly Item[]) => Item;

/** One to three edges from different nodes. */
function edgesFrom(
  nodes: readonly string[],
  { draw, open, pick }: { readonly draw: Draw; readonly open: Set<string>; readonly pick: Pick },
): unknown[] {
  const from = new Set(Array.from({ length: 1 + draw(3) }, () => pick(nodes)));
  return [...from].map((name) => {
    open.delete(name);
    const attributes = {
      ...(draw(2) === 0 ? { when: pick(CONDITIONS) } : {}),
      ...(draw(3) === 0 ? { required: draw(2) === 0 } : {}),
      ...(draw(4) === 0 ? { delivery: { retries: draw(3), backoff: pick(["constant", "exponential"]) } } : {}),
    };
    return Object.keys(attributes).length === 0 ? name : { [name]: attributes };
  });
}

function randomTransform(draw: Draw, pick: Pick): Record<string, unknown> {
  switch (draw(5)) {
    case 0:
      return { split: { path: "items" } };
    case 1:
      return {
        fields: pick([
          { fields: { added: [1, { a: null }] } },
          { rename: { n: "deep.n" } },
          { remove: ["region"], wrap_field: "value" },
          { from_meta: ["sample"], fields: { n: 4 } },
        ]),
      };
    default:
      return { script: pick(SCRIPTS), ...(draw(6) === 0 ? { workers: 2 } : {}) };
  }
}

function randomMessage(draw: Draw, pick: Pick, codec: string): string {
  if (codec === "lines") {
    return pick(["n,region", "x,eu", `${draw(80)},us`, `${draw(80)},eu`, `${draw(9)},"e""u"`, "1"]);
  }
  const payload: Record<string, unknown> = {};
  if (draw(8) > 0) payload["n"] = pick<unknown>([draw(80), draw(80), 1.5, "text", null]);
  if (draw(4) > 0) payload["region"] = pick(["eu", "us", "é"]);
  if (draw(2) > 0) payload["items"] = pick<unknown>([[], [1], [1, 2, draw(9)], [{ n: draw(80) }, { n: 2 }], "none"]);
  const text = JSON.stringify(payload);
  switch (draw(20)) {
    case 0:
      return text.slice(0, -1);
    case 1:
      return pick(["null", "[1, 2]", '"text"', "9007199254740993", "", "1e999"]);
    case 2:
      return ` ${text} `;
    default:
      return text;
  }
}
