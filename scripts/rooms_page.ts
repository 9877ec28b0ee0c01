/** Owns the drawing of the rooms for docs/architecture.md. */

import { markdownTable } from "./generated_parts.ts";
import { COMMON_ROOMS, type Room, ROOMS } from "./rooms.ts";

/** The table of rooms. */
export function roomsTable(): string {
  return markdownTable(
    ["floor", "room", "owns", `may import (besides ${COMMON_ROOMS.map(code).join(", ")})`],
    ROOMS.map((room) => [String(room.floor), code(room.name), room.owns, importsText(room)]),
  );
}

/** The house in text: who lives on which floor. */
export function roomsDrawing(): string {
  const floors = new Map<number, string[]>();
  for (const { floor, name } of ROOMS) floors.set(floor, [...floors.get(floor) ?? [], name]);
  const top = Math.max(...floors.keys()) + 1;
  const lines = [`${top}  main.ts  mod.ts  (assembly: the only place where all rooms meet)`];
  for (let floor = top - 1; floor >= 0; floor--) lines.push(`${floor}  ${(floors.get(floor) ?? []).join("  ")}`);
  return ["```text", ...lines, "```"].join("\n");
}

function importsText(room: Room): string {
  const all = [...room.mayImport.map(code), ...(room.mayImportTypes ?? []).map((name) => `${code(name)} (types)`)];
  if (COMMON_ROOMS.includes(room.name)) return "nothing";
  return all.length === 0 ? "" : all.join(", ");
}

function code(text: string): string {
  return `\`${text}\``;
}
