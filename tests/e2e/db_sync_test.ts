/** The example of two databases, in the whole program. */

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { copyExample, programTest, runProgram } from "./program.ts";

const FACTS = "select order_id, state, is_open, updated_at from order_facts order by order_id";
const ORDERS = "select o.id as order_id, o.state, o.state not in ('sent', 'returned') as is_open, o.updated_at " +
  "from orders o join customers c on c.id = o.customer_id where c.region <> 'apac' order by o.id";

programTest(
  "example db-sync: the warehouse follows the shop, a second run brings what changed",
  async (subject, folder) => {
    const cwd = copyExample("db-sync", folder);
    for (const name of ["shop", "warehouse"]) execute(cwd, name, Deno.readTextFileSync(`${cwd}/${name}.sql`));
    const run = async () => {
      const args = ["run", "--json", "--config", "pipeline.yaml"];
      const { code, stdout, stderr } = await runProgram(subject, args, { cwd });
      assert.equal(code, 0, stderr);
      return JSON.parse(stdout).counts.committed as number;
    };
    const expected = rows(cwd, "shop", ORDERS);
    assert.ok(expected.length > 100);
    assert.equal(await run(), expected.length);
    assert.deepEqual(rows(cwd, "warehouse", FACTS), expected);
    assert.equal(await run(), 0);
    const id = expected[7]?.["order_id"];
    execute(cwd, "shop", `update orders set state = 'returned', updated_at = current_timestamp where id = ${id}`);
    assert.equal(await run(), 1);
    assert.deepEqual(rows(cwd, "warehouse", FACTS), rows(cwd, "shop", ORDERS));
  },
);

function execute(folder: string, name: string, statements: string): void {
  const database = new DatabaseSync(`${folder}/${name}.db`);
  database.exec(statements);
  database.close();
}

function rows(folder: string, name: string, query: string): Record<string, unknown>[] {
  const database = new DatabaseSync(`${folder}/${name}.db`);
  const found = database.prepare(query).all();
  database.close();
  return found;
}
