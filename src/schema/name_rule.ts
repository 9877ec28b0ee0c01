/** Owns the rule for names of pipelines, nodes and codecs: they become file names, labels and metric values. */

const NAME_LENGTH_MAX = 64;
const NAME_REGEXP = /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/;
/** A name as JSON Schema wants it; what it cannot say (no `..`, no device) only {@linkcode nameProblem} tells. */
export const NAME_PATTERN = `^[a-zA-Z0-9][a-zA-Z0-9._-]{0,${NAME_LENGTH_MAX - 1}}$`;
/** Names that Windows keeps for devices, in any case and with any extension. */
const DEVICE_REGEXP = /^(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\..*)?$/i;

/** What is wrong with a name, to follow "the name ..."; undefined where nothing is. */
export function nameProblem(name: string): string | undefined {
  const problem = nodeNameProblem(name);
  if (problem !== undefined) return problem;
  if (name.includes("..")) return 'must not hold ".."';
  return DEVICE_REGEXP.test(name) ? "is the name of a Windows device" : undefined;
}

/** As {@linkcode nameProblem}, for a node: its name becomes no file name, so that alphabet and length are all. */
export function nodeNameProblem(name: string): string | undefined {
  if (name === "") return "is empty";
  if (name.length > NAME_LENGTH_MAX) return `has ${name.length} characters, and may have ${NAME_LENGTH_MAX}`;
  if (!NAME_REGEXP.test(name)) {
    return "must begin with a letter or digit and hold only letters, digits, dots, underscores and hyphens";
  }
  return undefined;
}
