/** Owns the project's own lint rules: one-way rooms with one door, and the habits that every file keeps. */

import { docRule, fileNameRule, ownsRule } from "./lint_page_rules.ts";
import { consoleRule, dynamicImportRule, importRule, moduleStateRule } from "./lint_import_rules.ts";

/** The plugin that `deno.json` names; each rule tells what to do instead. */
const plugin: Deno.lint.Plugin = {
  name: "eventboat",
  rules: {
    "rooms": importRule,
    "dynamic-import": dynamicImportRule,
    "module-state": moduleStateRule,
    "console": consoleRule,
    "file-name": fileNameRule,
    "owns": ownsRule,
    "doc": docRule,
  },
};

export default plugin;
