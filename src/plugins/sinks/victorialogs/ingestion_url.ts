/** Owns the address of the server's intake: what a line's fields mean stands in its query. */

/** What the query says. */
export interface IngestionFields {
  readonly stream_fields: readonly string[];
  readonly time_field: string;
  readonly msg_field: string;
  readonly extra_fields: { readonly [name: string]: string };
}

const INTAKE_PATH = "/insert/jsonline";
const TRAILING_SLASHES_REGEXP = /\/+$/;

/** The intake under `url`, whose own query is kept. */
export function ingestionUrl(url: string, fields: IngestionFields): string {
  const address = new URL(url);
  address.pathname = address.pathname.replace(TRAILING_SLASHES_REGEXP, "") + INTAKE_PATH;
  address.hash = "";
  const query = address.searchParams;
  query.set("_stream_fields", fields.stream_fields.join(","));
  query.set("_time_field", fields.time_field);
  query.set("_msg_field", fields.msg_field);
  const extra = Object.entries(fields.extra_fields).map(([name, value]) => `${name}=${value}`);
  if (extra.length > 0) query.set("extra_fields", extra.join(","));
  return address.href;
}

/** The fields of a list that the server reads as one, such as `time,ts`. */
export function listedFields(list: string): readonly string[] {
  return list.split(",").map((name) => name.trim()).filter((name) => name !== "");
}
