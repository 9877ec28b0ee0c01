import assert from "node:assert/strict";
import { pipelinePermissions } from "./permissions.ts";

Deno.test("pipelinePermissions: where links lead is granted with them, as far as it exists", async () => {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "eventboat-permissions-" }));
  try {
    await Deno.mkdir(`${folder}/real/deep`, { recursive: true });
    await Deno.writeTextFile(`${folder}/real/a.log`, "");
    await Deno.symlink("real", `${folder}/linked`);
    await Deno.symlink("real/a.log", `${folder}/a.log`);
    await Deno.symlink("circle", `${folder}/circle`);
    const read = ["a.log", "linked/deep", "linked/new/out.log", "plain.log", "circle"].map((name) =>
      `${folder}/${name}`
    );
    const { read: granted, write } = pipelinePermissions({ read });
    const led = ["real/a.log", "real/deep", "real/new/out.log"].map((name) => `${folder}/${name}`);
    assert.deepEqual([...granted as string[]].sort(), [...read, ...led].sort());
    assert.equal(write, false);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
