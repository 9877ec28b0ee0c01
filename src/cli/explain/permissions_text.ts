/** Owns the text of permissions. */

import type { PermissionOutline } from "../../ops/mod.ts";
import { visible } from "../visible_text.ts";

type Permissions = PermissionOutline["permissions"];

/** What each node needs, and what each isolate may do. */
export function permissionsText({ nodes, codecs, isolates }: PermissionOutline): string {
  const lines = ["what each node needs"];
  for (const { node, permissions } of nodes) lines.push(...entryLines(visible(node), permissions));
  if (Object.keys(codecs).length > 0) lines.push(...entryLines("other codecs", codecs));
  lines.push("", "what each isolate may do");
  if (isolates.length === 0) lines.push("  there are none: everything runs in the program's own");
  for (const { role, node, count, permissions } of isolates) {
    const times = count === 1 ? "" : ` (${count} times)`;
    lines.push(
      ...entryLines(node === undefined ? `${role}${times}` : `${role} of ${visible(node)}${times}`, permissions),
    );
  }
  return `${lines.join("\n")}\n`;
}

function entryLines(title: string, permissions: Permissions): string[] {
  const kinds = Object.entries(permissions).map(([kind, values]: [string, readonly string[]]) => {
    return `    ${kind}: ${values.map(visible).join(", ")}`;
  });
  return [`  ${title}`, ...(kinds.length === 0 ? ["    nothing"] : kinds)];
}
