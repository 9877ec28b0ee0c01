/** Owns the lint rules about how a file reads: its name, its opening sentence, a doc comment on each export. */

import { placeOf } from "./places.ts";

const CATCH_ALL_NAME_REGEXP = /^(?:utils?|helpers?|common|types|misc|shared|lib)(?:_test)?\.ts$/i;
const SNAKE_CASE_NAME_REGEXP = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*\.ts$/;
const SHEBANG_REGEXP = /^#![^\n]*\n/;
const OWNS_OPENING_REGEXP = /^\/\*\*\s+(?:\*\s+)?Owns\s/;
const DOC_OPENING_REGEXP = /^\/\*\*\s+\S/;

type Source = Deno.lint.RuleContext["sourceCode"];

/** Reports names that say nothing about what is inside. */
export const fileNameRule: Deno.lint.Rule = {
  create(context) {
    const { name } = placeOf(context.filename);
    return {
      Program(node) {
        if (CATCH_ALL_NAME_REGEXP.test(name)) {
          context.report({ node, message: `"${name}" is a catch-all: name the file after the one thing it exports` });
        } else if (!SNAKE_CASE_NAME_REGEXP.test(name)) {
          context.report({ node, message: `"${name}" is not in snake_case` });
        }
      },
    };
  },
};

/**
 * Reports files that do not open with what they own. A room's door, an isolate's entry file and what tests are helped
 * by open with what they are; a `_test.ts` owns the tests of the file beside it, and its name says so.
 */
export const ownsRule: Deno.lint.Rule = {
  create(context) {
    const { name, path, room, test } = placeOf(context.filename);
    if (name.endsWith("_test.ts")) return {};
    const free = name === "mod.ts" || test || path.startsWith("src/") && room === undefined;
    return {
      Program(node) {
        const text = context.sourceCode.text.replace(SHEBANG_REGEXP, "");
        if (free) {
          if (DOC_OPENING_REGEXP.test(text)) return;
          context.report({ node, message: `${name} opens with a /** sentence */ that says what it is` });
        } else if (!OWNS_OPENING_REGEXP.test(text)) {
          context.report({ node, message: 'a file opens with "/** Owns ... */": one sentence that says what it owns' });
        }
      },
    };
  },
};

/** Reports exported declarations without a doc comment of their own; tests export nothing worth it. */
export const docRule: Deno.lint.Rule = {
  create(context) {
    if (placeOf(context.filename).name.endsWith("_test.ts")) return {};
    const judge = (node: Deno.lint.ExportNamedDeclaration | Deno.lint.ExportDefaultDeclaration) => {
      if (hasDoc(context.sourceCode, node)) return;
      const message =
        "an exported declaration needs a /** doc comment */: what it does, shapes, units, defaults, errors";
      context.report({ node, message });
    };
    return {
      ExportNamedDeclaration(node) {
        if (node.declaration !== null) judge(node);
      },
      ExportDefaultDeclaration(node) {
        if (node.declaration.type !== "Identifier") judge(node);
      },
    };
  },
};

/** Whether a doc comment stands right before the node and is not the file's opening. */
function hasDoc(source: Source, node: Deno.lint.Node): boolean {
  const comment = source.getCommentsBefore(node).at(-1);
  if (comment === undefined || comment.type !== "Block" || !comment.value.startsWith("*")) return false;
  const between = source.text.slice(comment.range[1], node.range[0]);
  return between.trim() === "" && !comment.value.slice(1).trimStart().startsWith("Owns ");
}
