/** Owns the limits on expression text: what keeps a hostile or generated expression from exhausting stack or memory. */

/** UTF-16 units an expression may have. The longest useful predicates are some hundreds. */
export const CEL_SOURCE_UNITS_MAX = 65_536;

/**
 * Levels an expression may nest: brackets, calls, selections, unary operators, and chains of operators that lean to the
 * left. Parsing, binding and evaluation each recurse once a level, so this bounds their stack.
 */
export const CEL_DEPTH_MAX = 250;

/** Issues reported of one expression: beyond them the text is no expression, and each costs a look at the others. */
export const CEL_ISSUES_MAX = 50;
