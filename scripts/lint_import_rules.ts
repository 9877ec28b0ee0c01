/** Owns the lint rules about what a module reaches for: imports, module state, the console. */

import { type Place, placeOf, resolveImport } from "./places.ts";
import { type ImportKind, mayImport, ROOMS } from "./rooms.ts";

const REGISTRY_OR_URL_REGEXP = /^(?:npm|jsr|https?|data|blob|file):|^\//;

/** Built-ins of `src/plugins/` stand in one folder each below these; no plugin reaches into another's. */
const PLUGIN_KINDS: readonly string[] = ["sources", "transforms", "sinks", "codecs"];

interface ImportSite {
  readonly specifier: string;
  readonly kind: ImportKind;
}

/** Reports imports that the table of rooms does not allow, that pass a room's door, or that name a registry or URL. */
export const importRule: Deno.lint.Rule = {
  create(context) {
    const place = placeOf(context.filename);
    const judge = (node: Deno.lint.Node, specifier: string, kind: ImportKind) => {
      const message = importFault(place, { specifier, kind });
      if (message !== undefined) context.report({ node, message });
    };
    return {
      ImportDeclaration(node) {
        judge(node, node.source.value, importKind(node));
        if (node.specifiers.length > 0) return;
        const message =
          `"${node.source.value}" is imported for what it does while it loads: export a function, call it`;
        context.report({ node, message });
      },
      ExportNamedDeclaration(node) {
        if (node.source !== null) judge(node, node.source.value, node.exportKind);
      },
      ExportAllDeclaration(node) {
        judge(node, node.source.value, node.exportKind);
      },
      ImportExpression(node) {
        if (node.source.type === "Literal" && typeof node.source.value === "string") {
          judge(node, node.source.value, "value");
        }
      },
      TSImportType(node) {
        const argument: Deno.lint.Node = node.argument;
        const literal = argument.type === "TSLiteralType" ? argument.literal : argument;
        if (literal.type === "Literal") judge(node, String(literal.value), "type");
      },
    };
  },
};

/** Reports `import()` of anything but a written-out text: in a compiled program it would pass the read permission. */
export const dynamicImportRule: Deno.lint.Rule = {
  create(context) {
    if (!placeOf(context.filename).shipped) return {};
    return {
      ImportExpression(node) {
        if (node.source.type === "Literal" && typeof node.source.value === "string") return;
        context.report({
          node,
          message: "import() takes a literal specifier only: no text made at run time may load code",
        });
      },
    };
  },
};

/** Reports variables at module level: two engines in one process must not meet in them. */
export const moduleStateRule: Deno.lint.Rule = {
  create(context) {
    if (!placeOf(context.filename).shipped) return {};
    return {
      VariableDeclaration(node) {
        const parent = node.parent.type === "ExportNamedDeclaration" ? node.parent.parent : node.parent;
        if (node.kind !== "let" && node.kind !== "var" || parent.type !== "Program") return;
        context.report({
          node,
          message: `"${node.kind}" at module level is state that everybody shares: put it in a class`,
        });
      },
    };
  },
};

/** Reports `console` where a logger is at hand. */
export const consoleRule: Deno.lint.Rule = {
  create(context) {
    const place = placeOf(context.filename);
    if (!place.shipped || place.room === "cli" || place.path === "src/main.ts") return {};
    return {
      MemberExpression(node) {
        if (node.object.type !== "Identifier" || node.object.name !== "console") return;
        context.report({ node, message: "console belongs to cli and main.ts: log with the Logger you were given" });
      },
    };
  },
};

/** Types alone, where the import or each of its names says so. */
function importKind(node: Deno.lint.ImportDeclaration): ImportKind {
  if (node.importKind === "type") return "type";
  const named = node.specifiers.length > 0 &&
    node.specifiers.every((specifier) => specifier.type === "ImportSpecifier" && specifier.importKind === "type");
  return named ? "type" : "value";
}

/** What is wrong with an import and what to do instead; `undefined` when nothing is. */
function importFault(place: Place, site: ImportSite): string | undefined {
  const { specifier } = site;
  if (REGISTRY_OR_URL_REGEXP.test(specifier)) {
    return `"${specifier}" names a registry, a URL or an absolute path: give it a name in deno.json's imports`;
  }
  if (!specifier.startsWith(".")) return undefined;
  const target = resolveImport(place, specifier);
  const [top, room, ...inside] = target.split("/");
  if (top !== "src") {
    const allowed = !place.shipped || target === "deno.json" || place.path === "mod.ts";
    return allowed ? undefined : `${target} is no part of the shipped program: only tests and scripts may import it`;
  }
  if (inside.length === 0) {
    const assembly = place.room === undefined || place.test;
    return assembly
      ? undefined
      : `${target} assembles the rooms, so no room may import it: pass what you need as an argument`;
  }
  if (room === undefined || !ROOMS.some(({ name }) => name === room)) {
    return `"${room}" is no room: add it to scripts/rooms.ts, with its floor and what it may import`;
  }
  if (room === place.room) return room === "plugins" ? pluginFault(place, target) : undefined;
  if (inside.join("/") !== "mod.ts") {
    return `${target} is inside the room "${room}": import its door, src/${room}/mod.ts`;
  }
  if (place.room === undefined || place.test || mayImport(place.room, room, site.kind)) return undefined;
  if (mayImport(place.room, room, "type")) {
    return `"${place.room}" may import types of "${room}" only: write "import type"`;
  }
  return `"${place.room}" may not import "${room}": scripts/rooms.ts holds the table`;
}

/** Keeps a plugin's folder liftable: nothing of another plugin's folder. */
function pluginFault(place: Place, target: string): string | undefined {
  const [, , kind = "", folder = ""] = place.path.split("/");
  const [, , targetKind = "", targetFolder = ""] = target.split("/");
  const inPlugin = PLUGIN_KINDS.includes(kind) && place.path.split("/").length > 4;
  const foreign = PLUGIN_KINDS.includes(targetKind) && (targetKind !== kind || targetFolder !== folder);
  if (!inPlugin || !foreign || place.test) return undefined;
  return `${target} belongs to another plugin: move what both need to src/plugins/shared/`;
}
