/** Owns the list of the project's own files, as its checks read them. */

/** One file of the project. */
export interface ProjectFile {
  /** From the project's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** Folders that hold no text of ours: tools' output, data of runs, and what only git reads. */
const SKIPPED_FOLDERS: readonly string[] = [".git", "node_modules", "dist", "coverage", "data", ".demo"];

const TEXT_NAME_REGEXP = /\.(?:ts|json|md|yaml|yml|txt|sh)$|^(?:run|LICENSE|NOTICE|Dockerfile|\.gitignore)$/;

/** The project's root, as a folder URL. */
export const PROJECT_ROOT: URL = new URL("../", import.meta.url);

/** Every text file below the root, in order of path. */
export function projectFiles(root: URL = PROJECT_ROOT): ProjectFile[] {
  const files: ProjectFile[] = [];
  collect(root, "", files);
  return files.sort((a, b) => a.path < b.path ? -1 : 1);
}

function collect(root: URL, folder: string, into: ProjectFile[]): void {
  for (const entry of Deno.readDirSync(new URL(folder, root))) {
    const path = folder + entry.name;
    if (entry.isDirectory && !SKIPPED_FOLDERS.includes(entry.name)) collect(root, `${path}/`, into);
    if (entry.isFile && TEXT_NAME_REGEXP.test(entry.name)) {
      into.push({ path, text: Deno.readTextFileSync(new URL(path, root)) });
    }
  }
}
