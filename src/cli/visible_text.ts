/** Owns the showing of text that came from somewhere else. */

const CONTROL_REGEXP = /[\p{Cc}\p{Zl}\p{Zp}]/gu;

/** Text from a message or a script, without what would steer a terminal. */
export function visible(text: string): string {
  return text.replace(CONTROL_REGEXP, (control) => {
    if (control === "\n") return "\\n";
    if (control === "\t") return "\\t";
    return `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
