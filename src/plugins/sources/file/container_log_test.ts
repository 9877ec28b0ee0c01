import assert from "node:assert/strict";
import { containerMeta } from "./container_log.ts";

Deno.test("containerMeta: reads pod, namespace and container, whatever hyphens they hold", () => {
  assert.deepEqual(containerMeta("/var/log/containers/web-7f.x_kube-system_side-car-0a1b2c.log"), {
    pod: "web-7f.x",
    namespace: "kube-system",
    container: "side-car",
  });
});

Deno.test("containerMeta: says nothing of other names", () => {
  for (const name of ["app.log", "a_b.log", "a_b_c.log", "a_b_c-1.txt", "a_b_c_d-1.log", "A_b_c-1.log"]) {
    assert.deepEqual(containerMeta(`/x_y_z-1.log/${name}`), {}, name);
  }
});
