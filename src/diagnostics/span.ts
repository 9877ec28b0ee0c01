/** Owns where a finding stands: a place in a file that a user wrote. */

/** A place in a file. Lines and columns count from 1; a column counts UTF-16 units. */
export interface Span {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}
