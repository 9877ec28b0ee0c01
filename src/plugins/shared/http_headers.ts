/** Owns what names and values of HTTP headers look like (RFC 9110), as patterns for schemas. */

/** A header's name: a token. */
export const HEADER_NAME_PATTERN = "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$";

/** A header's value: no line breaks, nothing beyond Latin-1. */
export const HEADER_VALUE_PATTERN = "^[\\t -~\\x80-\\xff]*$";
