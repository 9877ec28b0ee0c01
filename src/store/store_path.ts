/** Owns where a pipeline's store lies. */

/** The file of a pipeline's store: `<data_dir>/stores/<name>.db`. Beside it lie `-wal`, `-shm`, `.lock` and `.reserve`. */
export function storePath(dataDir: string, pipeline: string): string {
  return `${dataDir.replace(/[/\\]+$/, "")}/stores/${pipeline}.db`;
}

/** The file whose lock makes a process the store's only writer. */
export function lockPath(path: string): string {
  return `${path}.lock`;
}

/** The file that holds room on the disk free for what must be written when there is none. */
export function reservePath(path: string): string {
  return `${path}.reserve`;
}

/** SQLite's write-ahead log of a store. */
export function walPath(path: string): string {
  return `${path}-wal`;
}

/** The folder that holds a file. */
export function folderOf(path: string): string {
  const end = path.search(/[/\\][^/\\]*$/);
  if (end < 0) return ".";
  return end === 0 ? path.slice(0, 1) : path.slice(0, end);
}
