/** Owns the printed table of measurements. */

import type { Measurement } from "./measurement.ts";

const HEAD: readonly string[] = ["benchmark", "value", "unit", "reference", "ratio", "bound", ""];
/** Columns whose text stands left; numbers stand right. */
const LEFT_COLUMNS: ReadonlySet<number> = new Set([0, 2, 6]);

/** The table, and below it a sentence that says whether every bound holds. */
export function tableText(measurements: readonly Measurement[]): string {
  const rows = [HEAD, ...measurements.map(rowOf)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return LEFT_COLUMNS.has(column) ? cell.padEnd(width) : cell.padStart(width);
    }).join("  ").trimEnd()
  );
  return `${lines.join("\n")}\n\n${verdictText(measurements)}\n`;
}

function rowOf(measurement: Measurement): readonly string[] {
  const { name, value, unit, reference, ratio, holds } = measurement;
  return [
    name,
    numberText(value),
    unit,
    reference === null ? "" : numberText(reference),
    ratio === null ? "" : ratio.toFixed(2),
    boundText(measurement),
    holds === null ? "" : holds ? "holds" : "DOES NOT HOLD",
  ];
}

function boundText({ ratio, bound, most }: Measurement): string {
  const least = bound === null ? [] : [ratio === null ? `< ${bound}` : `>= ${bound.toFixed(2)}`];
  return [...least, ...(most === null ? [] : [`value <= ${most}`])].join(", ");
}

function verdictText(measurements: readonly Measurement[]): string {
  const bounded = measurements.filter(({ holds }) => holds !== null);
  const failed = bounded.filter(({ holds }) => holds === false);
  if (failed.length === 0) return `All ${bounded.length} bounds hold.`;
  return `${failed.length} of ${bounded.length} bounds DO NOT HOLD: ${failed.map(({ name }) => name).join("; ")}`;
}

/** Three digits of a small number, thousands apart in a large one. */
function numberText(value: number): string {
  if (value < 10) return value.toFixed(2);
  if (value < 100) return value.toFixed(1);
  return Math.round(value).toLocaleString("en-US");
}
