import assert from "node:assert/strict";
import { outlinePlan } from "../../src/explain/mod.ts";
import type { Plan } from "../../src/plan/mod.ts";
import { Registry } from "../../src/plugin/mod.ts";
import { builtins } from "../../src/plugins/mod.ts";
import { verifyFile, verifyText } from "../../src/verify/mod.ts";
import { engineEnds, explainedEnds, type Samples } from "../suites/explain_twin.ts";
import { drawFrom, randomPipeline } from "../suites/random_pipeline.ts";

/** Pipelines and messages of each; `EXPLAIN_SEEDS=from,count` tries others. */
const [SEED_FROM, SEEDS] = (Deno.env.get("EXPLAIN_SEEDS") ?? "1,100").split(",").map(Number) as [number, number];
const MESSAGES = 100;

const registry = new Registry(builtins());

async function agree(plan: Plan, samples: Samples, what: string): Promise<readonly string[]> {
  const engine = await engineEnds(plan, samples);
  const { notExecuted: _, ...explained } = await explainedEnds(plan, samples);
  // One line is easier to read than the difference of two lists.
  const [only] = engine.lines.filter((line, i) => line !== explained.lines[i]);
  const [other] = explained.lines.filter((line, i) => line !== engine.lines[i]);
  assert.equal(only, other, what);
  assert.deepEqual(explained, engine, what);
  return engine.lines;
}

Deno.test("Walker: agrees with the engine on 10,000 messages over pipelines drawn by chance", async () => {
  let messages = 0;
  const kinds = { given: 0, decode: 0, encode: 0, steps: 0, runtime: 0 };
  for (let seed = SEED_FROM; seed < SEED_FROM + SEEDS; seed++) {
    const { text, samples } = randomPipeline(drawFrom(seed), MESSAGES);
    const { plan, diagnostics } = verifyText({
      file: `${seed}.yaml`,
      text: new TextEncoder().encode(text),
      directory: "/pipelines",
      env: () => undefined,
      readFile: () => new Uint8Array(0),
    }, { registry });
    assert.ok(plan, `${JSON.stringify(diagnostics)}\n${text}`);
    for (const list of samples.values()) messages += list.length;
    for (const line of await agree(plan, samples, `seed ${seed}: ${text}`)) {
      for (const kind of ["given", "decode", "encode", "steps", "runtime"] as const) {
        if (line.includes(kind === "given" ? " given to " : ` as ${kind} after `)) kinds[kind]++;
      }
    }
  }
  assert.ok(messages >= SEEDS * MESSAGES);
  // What never happened was not compared.
  for (const [kind, count] of Object.entries(kinds)) assert.ok(count > 20, `${kind}: ${count}`);
});

/** A plan with a transform that a walk does not execute: the walk says so and decides nothing behind it. */
async function mustTellLimits(plan: Plan, samples: Samples): Promise<void> {
  const { lines, notExecuted } = await explainedEnds(plan, samples);
  assert.ok(notExecuted > 0);
  assert.deepEqual(lines.filter((line) => line.includes(" given to ")), []);
}

const EXAMPLES = new URL("../../examples/", import.meta.url);
const ENVIRONMENT: { readonly [name: string]: string } = { WEBHOOK_TOKEN: "secret" };
const DATA_REGEXP = /\.(?:ndjson|csv|log)$/;

/** Every line of the data that lies beside a pipeline. */
function* dataLines(folder: URL): Generator<Uint8Array> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    if (isDirectory && name !== "out") yield* dataLines(new URL(`${name}/`, folder));
    if (!DATA_REGEXP.test(name)) continue;
    const lines = Deno.readTextFileSync(new URL(name, folder)).trimEnd().split("\n");
    for (const line of lines) yield new TextEncoder().encode(line);
  }
}

for (const { name: example } of [...Deno.readDirSync(EXAMPLES)].sort((a, b) => a.name < b.name ? -1 : 1)) {
  const folder = new URL(`${example}/`, EXAMPLES);
  for (const { name } of Deno.readDirSync(folder)) {
    if (!name.endsWith(".yaml")) continue;
    const file = new URL(name, folder).pathname;
    if (!Deno.readTextFileSync(file).includes("kind: Pipeline")) continue;
    Deno.test(`Walker: agrees with the engine on the example ${example}/${name}`, async () => {
      const { plan, diagnostics } = verifyFile({ file, registry, env: (key) => ENVIRONMENT[key] });
      assert.ok(plan, JSON.stringify(diagnostics));
      const lines = [...dataLines(folder)];
      const sources = plan.nodes.filter(({ kind }) => kind === "source");
      const samples = new Map(sources.map((source) => [source.name, lines]));
      if (outlinePlan(plan).nodes.some((node) => node.explain_safe === false)) {
        return await mustTellLimits(plan, samples);
      }
      await agree(plan, samples, file);
    });
  }
}
