/** Owns the fitting of lines to a terminal: what goes into a pipe or a file keeps its lines as they are. */

/** Fewest columns that wrapped text gets: where less is left, lines are as long as they are. */
const TEXT_COLUMNS_MIN = 20;
const INDENT_REGEXP = /^ */;

/**
 * Breaks the lines of a text at blanks so that they have at most `columns`; what goes on stands two columns deeper than
 * its line, or as deep as `hang` says. Without `columns` the text stays as it is.
 */
export function wrapped(text: string, columns: number | undefined, hang?: number): string {
  return columns === undefined
    ? text
    : text.split("\n").map((line) =>
      wrappedLine(line, columns, hang ?? (INDENT_REGEXP.exec(line)?.[0].length ?? 0) + 2)
    )
      .join("\n");
}

function wrappedLine(line: string, columns: number, hang: number): string {
  if (columns - hang < TEXT_COLUMNS_MIN) return line;
  const lines: string[] = [];
  let rest = line;
  while (rest.length > columns) {
    // What stands in front of the text is not broken.
    const space = rest.lastIndexOf(" ", columns);
    const at = space > hang ? space : rest.indexOf(" ", columns);
    if (at < 0) break;
    lines.push(rest.slice(0, at));
    rest = " ".repeat(hang) + rest.slice(at + 1);
  }
  return [...lines, rest].join("\n");
}
