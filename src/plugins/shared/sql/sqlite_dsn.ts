/** Owns addresses of SQLite: a file's path, `sqlite:PATH`, or a `file:` URI with `mode=ro`. */

import type { SqliteDsn } from "./dsn.ts";
import { decoded, DsnError, DsnParams } from "./dsn_error.ts";

const PREFIX_REGEXP = /^(?:sqlite3?|file):(?:\/\/(?=\/|[^/]))?/i;

/** Reads an address; the path is as it was written. @throws {DsnError} */
export function parseSqliteDsn(text: string): SqliteDsn {
  const prefix = PREFIX_REGEXP.exec(text)?.[0] ?? "";
  const rest = text.slice(prefix.length);
  if (prefix === "") return fileAt(rest, false);
  const question = rest.indexOf("?");
  const path = decoded(question < 0 ? rest : rest.slice(0, question));
  const pairs = question < 0 ? [] : rest.slice(question + 1).split("&").filter((pair) => pair !== "");
  const params = new DsnParams(
    new Map(pairs.map((pair) => {
      const [name = "", value = ""] = pair.split("=", 2);
      return [name, decoded(value)];
    })),
  );
  const mode = params.take("mode");
  if (mode !== undefined && mode !== "ro" && mode !== "rw") throw new DsnError("must hold ro or rw in mode");
  params.end();
  return fileAt(path, mode === "ro");
}

function fileAt(path: string, readOnly: boolean): SqliteDsn {
  if (path === "" || path === ":memory:") throw new DsnError("must name a database file");
  return { driver: "sqlite", path, readOnly };
}
