/** Owns whom an HTTP client trusts beside the authorities that the platform knows. */

import { resolve } from "node:path";
import type { Static } from "typebox";
import { EventboatError, reasonOf } from "../../diagnostics/mod.ts";
import type { CheckContext } from "../../plugin/mod.ts";
import { block, text } from "../../schema/mod.ts";

/** The fields of a `tls` block. */
export const httpTlsSchema = block({
  ca_file: text({
    description:
      "Certificates in PEM of the authorities to trust beside the platform's, relative to the pipeline file.",
  }),
}, { description: "For servers whose certificate a private authority has signed." });

/** A `tls` block. */
export type HttpTlsConfig = Static<typeof httpTlsSchema>;

/** What a `tls` block makes the client read. */
export function tlsNeeds(tls: HttpTlsConfig | undefined, context: CheckContext): { readonly read?: readonly string[] } {
  return tls === undefined ? {} : { read: [resolve(context.directory, tls.ca_file)] };
}

/** The certificates to trust. @throws {EventboatError} `permission` or `config_invalid`: the file cannot be read. */
export function readAuthorities(tls: HttpTlsConfig | undefined, context: CheckContext): string[] {
  if (tls === undefined) return [];
  const path = resolve(context.directory, tls.ca_file);
  try {
    return [Deno.readTextFileSync(path)];
  } catch (cause) {
    const code = cause instanceof Deno.errors.NotCapable ? "permission" : "config_invalid";
    throw new EventboatError(code, `cannot read ${path}: ${reasonOf(cause)}`, { cause, node: context.node });
  }
}
