import assert from "node:assert/strict";
import { REPL_STEPS_MAX } from "../ops/mod.ts";
import { parseCommandLine } from "./command_line.ts";

function parse(line: string) {
  return parseCommandLine(line.split(" ").filter((word) => word !== ""));
}

Deno.test("parseCommandLine: options of verify, in the order they were given", () => {
  assert.deepEqual(parse("verify --config p.yaml --overlay a.yaml --strict --overlay=b.yaml"), {
    kind: "verb",
    json: false,
    invocation: {
      verb: "verify",
      config: "p.yaml",
      overlays: ["a.yaml", "b.yaml"],
      runtime: undefined,
      strict: true,
      fix: false,
    },
  });
});

Deno.test("parseCommandLine: options of repl, of which none is needed", () => {
  const none = {
    script: undefined,
    cel: undefined,
    cesql: undefined,
    message: undefined,
    meta: undefined,
    constants: undefined,
  };
  const bare = { verb: "repl", ...none, parameters: undefined, steps: undefined, history: true };
  assert.deepEqual(parse("repl"), { kind: "verb", json: false, invocation: bare });
  assert.deepEqual(parse("repl --cel 1 --message - --steps 5 --no-history --json"), {
    kind: "verb",
    json: true,
    invocation: { ...bare, cel: "1", message: "-", steps: 5, history: false },
  });
  const wrong = [
    "--script f --cel 1",
    "--cel 1 --cesql 1",
    "--json",
    "--steps 0",
    "--steps x",
    "--steps 1e3",
    "--steps 999999999",
    "x.star",
  ];
  for (const line of wrong) assert.equal(parse(`repl ${line}`).kind, "usage", line);
});

Deno.test("parseCommandLine: repl takes as many steps as the operation", () => {
  assert.equal(parse(`repl --steps ${REPL_STEPS_MAX}`).kind, "verb");
  assert.equal(parse(`repl --steps ${REPL_STEPS_MAX + 1}`).kind, "usage");
});

Deno.test("parseCommandLine: --json is known before and after the verb", () => {
  for (const line of ["--json version", "version --json", "--json plugin catalog", "plugin catalog --json"]) {
    const parsed = parse(line);
    assert.deepEqual([parsed.kind, parsed.json], ["verb", true], line);
  }
  assert.equal(parse("version").json, false);
});

Deno.test("parseCommandLine: help is asked for by nothing, by help, by --help", () => {
  for (const line of ["", "--json", "help", "--help", "-h"]) {
    const parsed = parse(line);
    assert.ok(parsed.kind === "help" && parsed.text.startsWith("Usage: eventboat [--json] <verb>"), line);
  }
  for (const line of ["help run", "run --help", "run -h"]) {
    const parsed = parse(line);
    assert.ok(parsed.kind === "help" && parsed.text.startsWith("Usage: eventboat run --config"), line);
  }
  for (const line of ["help store stats", "store stats --help", "help --json store stats"]) {
    const parsed = parse(line);
    assert.ok(parsed.kind === "help" && parsed.text.startsWith("Usage: eventboat store stats"), line);
  }
});

Deno.test("parseCommandLine: a version flag means the verb", () => {
  for (const line of ["version", "--version", "-V"]) {
    assert.deepEqual(parse(line), { kind: "verb", json: false, invocation: { verb: "version" } }, line);
  }
});

Deno.test("parseCommandLine: wrong usage is one line: the trouble, then what is expected", () => {
  const wrong: readonly (readonly [line: string, verb: string])[] = [
    ["nonsense", ""],
    ["help nonsense", ""],
    ["--nonsense", ""],
    ["verify", "verify"],
    ["verify --config", "verify"],
    ["verify --conifg p.yaml", "verify"],
    ["verify p.yaml --config p.yaml", "verify"],
    ["run --config-dir d", "run"],
    ["plugin", "plugin"],
    ["plugin schema", "plugin schema"],
    ["plugin schema file --document", "plugin schema"],
    ["plugin schema --all", "plugin schema"],
    ["plugin schema file --dir d", "plugin schema"],
    ["plugin schema --document --kind sink", "plugin schema"],
    ["plugin schema file --kind thing", "plugin schema"],
    ["store", "store"],
    ["store stats", "store stats"],
    ["store stats p --config p.yaml", "store stats"],
    ["store salvage p", "store salvage"],
    ["version now", "version"],
    ["help store stat", "store"],
    ["run --config a --config b", "run"],
  ];
  for (const [line, verb] of wrong) {
    const parsed = parse(line);
    assert.ok(parsed.kind === "usage", line);
    assert.ok(parsed.text.includes(verb === "" ? "; eventboat [" : `; eventboat ${verb} `), parsed.text);
    assert.ok(!parsed.text.includes("\n"), parsed.text);
  }
});

Deno.test("parseCommandLine: a misspelt option is told before a missing one", () => {
  const parsed = parse("verify --conifg p.yaml");
  assert.ok(parsed.kind === "usage");
  assert.ok(
    parsed.text.startsWith('unknown option "--conifg" (did you mean --config?); eventboat verify '),
    parsed.text,
  );
});

Deno.test("parseCommandLine: what is wrong with an option's value is no sentence of its own", () => {
  const parsed = parse("dlq list --config p.yaml --limit 0");
  assert.ok(parsed.kind === "usage");
  assert.match(parsed.text, /must be a whole number of 1 or more; eventboat dlq list /);
});

Deno.test("parseCommandLine: an apostrophe stays one", () => {
  const parsed = parse("store stats");
  assert.ok(parsed.kind === "usage");
  assert.ok(parsed.text.startsWith("give a pipeline's name or --config; "), parsed.text);
});

Deno.test("parseCommandLine: what was probably meant is told first", () => {
  const table = [
    ["verify nope.yaml", 'unexpected argument "nope.yaml" (did you mean --config nope.yaml?); '],
    ["run p.yaml --config p.yaml", 'unexpected argument "p.yaml"; '],
    ["verfy", 'there is no verb "verfy" of eventboat (did you mean "verify"?); '],
    ["help verfy", 'there is no verb "verfy" of eventboat (did you mean "verify"?); '],
    ["store chek", 'there is no verb "chek" of eventboat store (did you mean "check"?); '],
    ["store", "a command is missing: stats, check, salvage; "],
    ["verify", "--config <file> is required; "],
  ] as const;
  for (const [line, beginning] of table) {
    const parsed = parse(line);
    assert.ok(parsed.kind === "usage" && parsed.text.startsWith(beginning), JSON.stringify(parsed));
  }
  const twice = parse("verify --config a.yaml --config b.yaml");
  assert.ok(twice.kind === "usage" && twice.text.includes('"a.yaml"') && twice.text.includes('"b.yaml"'));
});

Deno.test("parseCommandLine: a store is told by name or by file", () => {
  const common = { overlays: [], dataDir: "d", runtime: undefined };
  assert.deepEqual(parse("store check orders --data-dir d"), {
    kind: "verb",
    json: false,
    invocation: { verb: "store check", name: "orders", config: undefined, ...common },
  });
  assert.deepEqual(parse("store salvage --config p.yaml --data-dir d --to s.db"), {
    kind: "verb",
    json: false,
    invocation: { verb: "store salvage", to: "s.db", name: undefined, config: "p.yaml", ...common },
  });
});

Deno.test("parseCommandLine: replay says what is to be replayed, once, and ids are numbers and ranges", () => {
  const replay = (...args: string[]) => parseCommandLine(["replay", "--config", "f.yaml", ...args]);
  const refused = [
    [],
    ["--dlq", "--job", "r"],
    ["--spool"],
    ["--dlq", "--from", "1"],
    ["--spool", "--from", "0"],
    ["--dlq", "--ids", "5-3"],
    ["--dlq", "--ids", "1-1000000"],
    ["--dlq", "--limit", "none"],
  ];
  for (const args of refused) assert.equal(replay(...args).kind, "usage", args.join(" "));
  const parsed = replay("--dlq", "--ids", "3, 7,10-12");
  assert.ok(parsed.kind === "verb" && parsed.invocation.verb === "replay");
  assert.deepEqual(parsed.invocation.ids, [3, 7, 10, 11, 12]);
});
