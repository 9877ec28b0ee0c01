/** Owns what the messages of a request know of it. */

import type { MetaKey } from "../../../plugin/mod.ts";

/** What a request says of all its messages. */
export interface RequestMeta {
  readonly http_method: string;
  readonly content_type: string | undefined;
  readonly remote_address: string;
  readonly traceparent: string | undefined;
}

/** The keys that differ from request to request. */
export const REQUEST_META_KEYS: readonly (keyof RequestMeta)[] = [
  "http_method",
  "content_type",
  "remote_address",
  "traceparent",
];

/** Every key of `meta` that the source sets. */
export const HTTP_SERVER_META: readonly MetaKey[] = [
  { key: "http_path", type: "string", description: "The source's `path`." },
  { key: "http_method", type: "string", description: "Method of the request, such as `POST`." },
  { key: "content_type", type: "string", description: "The request's Content-Type; absent where it had none." },
  {
    key: "remote_address",
    type: "string",
    description: "Address of the peer, without its port: behind a proxy, the proxy's.",
  },
  {
    key: "traceparent",
    type: "string",
    description: "The request's `traceparent` header, which the `http` sink passes on; absent where it had none.",
  },
];
