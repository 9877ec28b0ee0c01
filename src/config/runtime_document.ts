/** Owns the Runtime document: what an installation sets for all its pipelines. */

/** The Runtime document, every default filled in. */
export interface RuntimeDocument {
  readonly storage: {
    readonly dataDir: string;
    readonly ephemeral: boolean;
    /** Messages kept behind the checkpoint. */
    readonly spoolRetention: number;
    readonly writeBatch: { readonly maxRows: number; readonly maxWaitMs: number };
    readonly durability: "power" | "process";
  };
  readonly admin: { readonly listen: string; readonly enable: boolean; readonly token: string };
  readonly mcp: { readonly enable: boolean };
  readonly plugins: { readonly allow: readonly string[] };
  readonly telemetry: {
    readonly otlpEndpoint: string;
    readonly otlpHeaders: { readonly [name: string]: string };
    readonly sampleRatio: number;
    readonly prometheus: boolean;
  };
  readonly isolation: "isolate" | "process" | "inline";
  readonly log: { readonly level: "debug" | "info" | "warn" | "error"; readonly format: "text" | "json" | undefined };
}
