import assert from "node:assert/strict";
import { parse } from "yaml";

const FOLDER = new URL("../../examples/compose/", import.meta.url);
const PINNED_IMAGE_REGEXP = /^[\w./-]+:v?\d+\.\d+(?:\.\d+)?$/;
const LOOPBACK_PORT_REGEXP = /^127\.0\.0\.1:\d+:\d+$/;

interface Service {
  readonly image: string;
  readonly ports: readonly string[];
  readonly healthcheck: { readonly test: readonly unknown[]; readonly retries: number };
}

Deno.test("examples/compose: every server is pinned, listens on loopback alone and tells its health", () => {
  const files = [...Deno.readDirSync(FOLDER)].map(({ name }) => name).filter((name) => name.endsWith(".yaml")).sort();
  assert.deepEqual(files, ["kafka.yaml", "mariadb.yaml", "postgres.yaml", "victorialogs.yaml"]);
  for (const file of files) {
    const document = parse(Deno.readTextFileSync(new URL(file, FOLDER))) as { services: Record<string, Service> };
    for (const [name, { image, ports, healthcheck }] of Object.entries(document.services)) {
      assert.match(image, PINNED_IMAGE_REGEXP, `${file}: ${name}`);
      assert.ok(ports.length > 0 && ports.every((port) => LOOPBACK_PORT_REGEXP.test(port)), `${file}: ${name}`);
      assert.ok(
        healthcheck.retries > 0 && healthcheck.test.every((word) => typeof word === "string"),
        `${file}: ${name}`,
      );
    }
  }
});
