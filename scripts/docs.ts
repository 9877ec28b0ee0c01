/** Owns `deno task docs`: writes the generated parts of the docs; a test holds that they are up to date. */

import { diagnosticsTable } from "./diagnostics_page.ts";
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
];

/** Every page with generated parts as it should be: path and formatted text. */
export async function generatedPages(): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>();
  for (const { page, name, make } of PARTS) {
    const text = pages.get(page) ?? Deno.readTextFileSync(new URL(page, PROJECT_ROOT));
    pages.set(page, withPart(text, name, make()));
  }
  for (const [page, text] of pages) pages.set(page, await formatted(text));
  return pages;
}

/** Markdown as `deno fmt` leaves it, so that formatting and generating do not undo each other. */
async function formatted(text: string): Promise<string> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--quiet", "--ext", "md", "-"],
    cwd: PROJECT_ROOT,
    stdin: "piped",
    stdout: "piped",
  });
  await using child = command.spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(text));
  await writer.close();
  const { success, code, stdout } = await child.output();
  if (!success) throw new Error(`deno fmt ended with ${code}`);
  return new TextDecoder().decode(stdout);
}

if (import.meta.main) {
  for (const [page, text] of await generatedPages()) Deno.writeTextFileSync(new URL(page, PROJECT_ROOT), text);
}
