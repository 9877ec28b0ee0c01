/** Owns the table of rooms: what stands in `src/`, on which floor, and who may call on whom. */

/** One room: a folder of `src/` whose only door is its `mod.ts`. */
export interface Room {
  readonly name: string;
  /** A room calls on lower floors only, and within a floor only as its row says. */
  readonly floor: number;
  /** What the room is for, as a list for the table in the docs. */
  readonly owns: string;
  /** Rooms it may import beside {@linkcode COMMON_ROOMS}. */
  readonly mayImport: readonly string[];
  /** Rooms of which it may import types alone. */
  readonly mayImportTypes?: readonly string[];
}

/** Every room may import these two; they themselves import nothing. */
export const COMMON_ROOMS: readonly string[] = ["base", "diagnostics"];

/** All rooms, from the ground floor up. */
export const ROOMS: readonly Room[] = [
  {
    name: "base",
    floor: 0,
    owns: "clock, ids, backoff, bounded queue, deadline and abort helpers, durations, byte sizes",
    mayImport: [],
  },
  {
    name: "diagnostics",
    floor: 0,
    owns: "diagnostic record and code catalogue, spans, `EventboatError`, collecting, text and JSON rendering",
    mayImport: [],
  },
  { name: "message", floor: 1, owns: "message, batch, segment, meta, copy-on-write payload", mayImport: [] },
  { name: "telemetry", floor: 1, owns: "the instrument catalogue, counting, logs", mayImport: [] },
  {
    name: "schema",
    floor: 1,
    owns: "framework vocabulary and the typed config definitions that give type, JSON Schema, defaults and docs",
    mayImport: [],
  },
  {
    name: "languages",
    floor: 2,
    owns: "CEL, CESQL and Starlark: source text to a bounded, deterministic function",
    mayImport: ["message"],
  },
  {
    name: "store",
    floor: 2,
    owns: "store contract, the store isolate, SQLite, lock, check and salvage, memory twin",
    mayImport: ["message", "telemetry"],
  },
  {
    name: "plugin",
    floor: 2,
    owns: "contracts, capabilities, needs (permissions), registry, testing kit",
    mayImport: ["message", "schema", "telemetry"],
  },
  {
    name: "config",
    floor: 2,
    owns: "YAML with positions, substitution, overlays, strict shape; the Runtime document",
    mayImport: ["schema"],
  },
  {
    name: "plugins",
    floor: 3,
    owns: "built-ins: `sources/ transforms/ sinks/ codecs/`, a folder each; `shared/` for what several use",
    mayImport: ["message", "schema", "telemetry", "plugin", "languages"],
  },
  {
    name: "rpc",
    floor: 3,
    owns: "out-of-process plugins: process, handshake, gRPC, supervision",
    mayImport: ["message", "schema", "telemetry", "plugin"],
  },
  {
    name: "plan",
    floor: 3,
    owns: "the validated graph with compiled programs, resolved codecs, lint passes, needed permissions",
    mayImport: ["message", "schema", "plugin", "config", "languages"],
  },
  {
    name: "verify",
    floor: 4,
    owns: "the one load, build, judge composition",
    mayImport: ["schema", "plugin", "config", "plan"],
  },
  {
    name: "engine",
    floor: 4,
    owns: "admission, graph workers, delivery, commit tracker, committers, dead letters, outcome",
    mayImport: ["message", "telemetry", "plugin", "store"],
    // A plan's nodes carry programs and delivery policies, which the engine runs and never makes.
    mayImportTypes: ["plan", "config", "languages"],
  },
  {
    name: "explain",
    floor: 5,
    owns: "walkthroughs and drawings of a plan",
    mayImport: ["message", "schema", "plugin", "plan"],
  },
  {
    name: "replay",
    floor: 5,
    owns: "choosing, re-injecting and deleting dead letters and spool windows",
    // What is replayed is chosen by a condition of the user's, which belongs to no plan.
    mayImport: ["message", "languages", "store", "plan", "engine"],
  },
  {
    name: "contract",
    floor: 5,
    owns: "contract suites: format, runner, report",
    // A suite file is YAML with places and a definition of its own, like the pipeline's.
    mayImport: ["message", "telemetry", "schema", "store", "plugin", "config", "plan", "verify", "engine"],
  },
  {
    name: "jobs",
    floor: 5,
    owns: "schedules, catch-up, overlap, parameters, runs, hooks",
    mayImport: ["message", "telemetry", "store", "plan", "verify", "engine"],
  },
  {
    name: "isolate",
    floor: 6,
    owns: "supervisor, message protocol, permissions of a pipeline, guest isolates",
    mayImport: ["message", "telemetry", "plugin", "store", "plan", "verify", "engine", "jobs", "replay"],
    // The document crosses to the pipeline's isolate as plain data.
    mayImportTypes: ["config"],
  },
  {
    name: "ops",
    floor: 7,
    owns: "one table of operations: name, input, output, effect, handler",
    mayImport: [
      "message",
      "telemetry",
      "schema",
      "languages",
      "store",
      "plugin",
      "config",
      "plugins",
      "rpc",
      "plan",
      "verify",
      "engine",
      "explain",
      "replay",
      "contract",
      "jobs",
      "isolate",
    ],
  },
  {
    name: "cli",
    floor: 8,
    owns: "the command line: it decides nothing",
    mayImport: ["schema", "telemetry", "ops"],
    // The plugins of a custom build pass through on their way to the operations.
    mayImportTypes: ["plugin"],
  },
  { name: "admin", floor: 8, owns: "the admin REST surface", mayImport: ["schema", "telemetry", "ops"] },
  { name: "mcp", floor: 8, owns: "the MCP surface", mayImport: ["schema", "telemetry", "ops"] },
  { name: "lsp", floor: 8, owns: "the language server", mayImport: ["verify", "schema", "plugin"] },
];

/** How an import is written: types alone, or values too. */
export type ImportKind = "type" | "value";

/** Whether the table lets `from` import `to`. */
export function mayImport(from: string, to: string, kind: ImportKind): boolean {
  if (from === to) return true;
  const room = ROOMS.find(({ name }) => name === from);
  if (room === undefined || room.mayImport.includes(to)) return room !== undefined;
  if (kind === "type" && room.mayImportTypes?.includes(to) === true) return true;
  return !COMMON_ROOMS.includes(from) && COMMON_ROOMS.includes(to);
}
