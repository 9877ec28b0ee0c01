/** Owns what a message says of an error that the platform threw: its reason in plain words, without what is said already. */

/** Errors of the operating system by their code, as the end of a sentence that names the file, folder or address. */
const REASON_BY_CODE: { readonly [code: string]: string } = {
  EACCES: "access is denied",
  EADDRINUSE: "another process listens there",
  EADDRNOTAVAIL: "no network interface of this machine has this address",
  EBUSY: "something else uses it",
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the other side cut the connection",
  EDQUOT: "the quota of the disk is used up",
  EEXIST: "it exists already",
  EFBIG: "the file would be too large for its file system",
  EIO: "the disk reports an error",
  EISDIR: "it is a folder",
  ELOOP: "its symbolic links lead in a circle",
  EMFILE: "this process has too many files open",
  ENAMETOOLONG: "the name is too long for the file system",
  ENFILE: "this machine has too many files open",
  ENOENT: "there is no such file or folder",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of the path is no folder",
  ENOTEMPTY: "the folder is not empty",
  EPERM: "the system does not allow it",
  EROFS: "the file system is read-only",
  ETXTBSY: "it is a program that runs",
};

/** Only the text of a refused permission tells which one it was; it goes on to advise flags that users do not have. */
const DENIED_REGEXP = /^Requires (\w+) access(?: to ("[^"]*"|[^,]+))?, /;
/** What the platform adds to the text of a system error: the call, and the path that the caller names already. */
const SYSTEM_SUFFIX_REGEXP = / \(os error \d+\)(?:: (.*))?$/s;

/** Why something failed, for a message that names the file, folder or address itself. */
export function reasonOf(caught: unknown): string {
  if (!(caught instanceof Error)) return String(caught);
  if (caught.name === "NotCapable") return deniedReason(caught.message, "it");
  return systemReason(caught) ?? caught.message.replace(SYSTEM_SUFFIX_REGEXP, "");
}

/** Why something failed, with the path or address that the platform names: for where the caller does not know it. */
export function wholeReasonOf(caught: unknown): string {
  if (!(caught instanceof Error)) return String(caught);
  if (caught.name === "NotCapable") return deniedReason(caught.message, undefined);
  const reason = systemReason(caught);
  const call = SYSTEM_SUFFIX_REGEXP.exec(caught.message)?.[1];
  if (reason === undefined) return caught.message;
  return call === undefined ? reason : `${call}: ${reason}`;
}

function systemReason(caught: Error): string | undefined {
  return "code" in caught && typeof caught.code === "string" ? REASON_BY_CODE[caught.code] : undefined;
}

/** `all` is asked for what the platform keeps from every isolate that is bound by permissions, such as `/proc`. */
function deniedReason(text: string, known: string | undefined): string {
  const [, kind, what] = DENIED_REGEXP.exec(text) ?? [];
  const target = known ?? what ?? "it";
  if (kind === "all") return `${target} is closed to every pipeline`;
  return `the pipeline has no ${kind === undefined ? "permission for" : `${kind} access to`} ${target}`;
}
