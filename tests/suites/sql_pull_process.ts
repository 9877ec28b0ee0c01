/** Owns the processes that run a `sql` source to its end: in a time zone, or to see how much memory it takes. */

import assert from "node:assert/strict";
import { programFlags } from "../bench/child_program.ts";
import type { Measured } from "./sql_pull_child.ts";
import type { SqlBlock, SqlSubject } from "./sql_subjects.ts";

const CHILD = new URL("sql_pull_child.ts", import.meta.url).pathname;

/** The texts a source emits in a process whose clock shows that zone. */
export async function textsInZone(subject: SqlSubject, block: SqlBlock, zone: string): Promise<readonly string[]> {
  return await run(subject, block, "texts", { TZ: zone }) as readonly string[];
}

/** How many rows a source emits, and the most bytes of memory its process held, with the program's own flags. */
export async function measuredPull(subject: SqlSubject, block: SqlBlock): Promise<Measured> {
  return await run(subject, block, "memory", {}) as Measured;
}

async function run({ driver, dsn }: SqlSubject, block: SqlBlock, what: string, env: Record<string, string>) {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--allow-all", "--no-check", "--quiet", ...programFlags(), CHILD],
      ...[JSON.stringify({ driver, dsn, ...block }), what],
    ],
    env,
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout)) as unknown;
}
