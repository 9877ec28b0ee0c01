/** Owns the limits on CESQL text: what keeps a hostile or generated expression from exhausting stack or memory. */

/** UTF-16 units an expression may have, as in CEL. */
export const CESQL_SOURCE_UNITS_MAX = 65_536;

/**
 * Levels an expression may nest: brackets, calls, unary operators, and chains of operators that lean to the left.
 * Parsing, binding and evaluation each recurse once a level, so this bounds their stack.
 */
export const CESQL_DEPTH_MAX = 250;

/** Issues reported of one expression: beyond them the text is no expression. */
export const CESQL_ISSUES_MAX = 50;

/** UTF-16 units the pattern of a `LIKE` may have. */
export const CESQL_PATTERN_UNITS_MAX = 4096;

/** Levels of the payload that `data.a.b.c.d` reaches. */
export const CESQL_DATA_LEVELS_MAX = 4;
