/** Owns `deno task docs`: writes the generated parts of the docs; a test holds that they are up to date. */

import { codesWithPage, diagnosticsTable, pagePath, pageSummary } from "./diagnostic_pages.ts";
import { withPart } from "./generated_parts.ts";
import { PROJECT_ROOT } from "./project_files.ts";
import { pluginsReference } from "./plugins_page.ts";
import { roomsDrawing, roomsTable } from "./rooms_page.ts";

interface GeneratedPart {
  readonly page: string;
  readonly name: string;
  readonly make: () => string;
}

const PARTS: readonly GeneratedPart[] = [
  { page: "docs/architecture.md", name: "rooms drawing", make: roomsDrawing },
  { page: "docs/architecture.md", name: "rooms table", make: roomsTable },
  { page: "docs/diagnostics.md", name: "codes", make: diagnosticsTable },
  { page: "docs/plugins.md", name: "sources", make: () => pluginsReference("source") },
  { page: "docs/plugins.md", name: "transforms", make: () => pluginsReference("transform") },
  { page: "docs/plugins.md", name: "sinks", make: () => pluginsReference("sink") },
  { page: "docs/plugins.md", name: "codecs", make: () => pluginsReference("codec") },
  ...codesWithPage().map((code) => ({ page: pagePath(code), name: "summary", make: () => pageSummary(code) })),
];

/** Every page with generated parts as it should be: path and formatted text. */
export async function generatedPages(): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>();
  for (const { page, name, make } of PARTS) {
    const text = pages.get(page) ?? Deno.readTextFileSync(new URL(page, PROJECT_ROOT));
    pages.set(page, withPart(text, name, make()));
  }
  return await formatted(pages);
}

/** The pages as `deno fmt` leaves them, so that formatting and generating do not undo each other. */
async function formatted(pages: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, string>> {
  const folder = await Deno.makeTempDir({ prefix: "eventboat-docs-" });
  try {
    const fileOf = (page: string) => `${folder}/${page.replaceAll("/", "_")}`;
    for (const [page, text] of pages) await Deno.writeTextFile(fileOf(page), text);
    const config = new URL("deno.json", PROJECT_ROOT).pathname;
    const command = new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", "--config", config, folder] });
    const { success, stderr } = await command.output();
    if (!success) throw new Error(`deno fmt failed: ${new TextDecoder().decode(stderr)}`);
    return new Map([...pages.keys()].map((page) => [page, Deno.readTextFileSync(fileOf(page))]));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

if (import.meta.main) {
  for (const [page, text] of await generatedPages()) Deno.writeTextFileSync(new URL(page, PROJECT_ROOT), text);
}
