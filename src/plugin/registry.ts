/** Owns the registry: which plugins this program knows. */

import { EventboatError } from "../diagnostics/mod.ts";
import { RESERVED_PLUGIN_NAMES } from "../schema/mod.ts";
import type { Plugin, PluginKind } from "./registration.ts";

/** What a plugin's name may look like: it is a key of the pipeline file. */
const NAME_REGEXP = /^[a-z][a-z0-9_]{0,63}$/;

/** The plugin of one kind. */
export type PluginOf<Kind extends PluginKind> = Extract<Plugin, { readonly kind: Kind }>;

/** The plugins of a program, by kind and name, in the order they were registered. Made once, then only read. */
export class Registry {
  readonly #plugins = new Map<string, Plugin>();

  /** @param plugins registered in this order; see {@linkcode Registry.register} */
  constructor(plugins: Iterable<Plugin> = []) {
    for (const plugin of plugins) this.register(plugin);
  }

  /**
   * Adds a plugin.
   * @throws {EventboatError} `usage` when its name is no plugin name, is a field of the framework, or is taken by
   * another plugin of its kind; or when its version is no whole number from 1.
   */
  register(plugin: Plugin): void {
    const what = `Cannot register the ${plugin.kind} ${JSON.stringify(plugin.name)}`;
    if (!NAME_REGEXP.test(plugin.name)) {
      throw new EventboatError("usage", `${what}: a name is 1 to 64 of a-z, 0-9 and _, and begins with a letter`);
    }
    if (RESERVED_PLUGIN_NAMES.includes(plugin.name)) {
      throw new EventboatError("usage", `${what}: the name is a field that every node may have`, {
        hint: "give the plugin another name",
      });
    }
    if (!Number.isSafeInteger(plugin.version) || plugin.version < 1) {
      throw new EventboatError("usage", `${what}: its version must be a whole number from 1, not ${plugin.version}`);
    }
    const key = keyOf(plugin.kind, plugin.name);
    if (this.#plugins.has(key)) {
      throw new EventboatError("usage", `${what}: another ${plugin.kind} has this name already`, {
        hint: "give one of the two another name",
      });
    }
    this.#plugins.set(key, plugin);
  }

  /** The plugin of this kind and name, or undefined. */
  get<Kind extends PluginKind>(kind: Kind, name: string): PluginOf<Kind> | undefined {
    // The key holds the kind, so what is found is of that kind.
    return this.#plugins.get(keyOf(kind, name)) as PluginOf<Kind> | undefined;
  }

  /** All plugins, or those of one kind, in the order they were registered. */
  list(): readonly Plugin[];
  list<Kind extends PluginKind>(kind: Kind): readonly PluginOf<Kind>[];
  list(kind?: PluginKind): readonly Plugin[] {
    const all = [...this.#plugins.values()];
    return kind === undefined ? all : all.filter((plugin) => plugin.kind === kind);
  }
}

function keyOf(kind: PluginKind, name: string): string {
  return `${kind} ${name}`;
}
