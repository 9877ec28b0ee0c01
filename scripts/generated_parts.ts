/** Owns the parts of the docs that are made from the source: between two markers, so that they are never stale. */

/** Text around a generated part: it stands alone on its line, before and after. */
function markers(name: string): { readonly begin: string; readonly end: string } {
  return { begin: `<!-- generated: ${name} -->`, end: `<!-- end of generated: ${name} -->` };
}

/**
 * Puts `part` between the markers called `name`.
 * @throws {Error} when the page does not hold both markers, in order
 */
export function withPart(page: string, name: string, part: string): string {
  const { begin, end } = markers(name);
  const from = page.indexOf(`${begin}\n`);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`the page holds no "${begin}" followed by "${end}"`);
  return `${page.slice(0, from + begin.length)}\n\n${part.trim()}\n\n${page.slice(to)}`;
}

/** A Markdown table. Cells may hold Markdown; a bar in one is escaped. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
