import assert from "node:assert/strict";
import { addressText, parseListenAddress } from "./listen_address.ts";

Deno.test("parseListenAddress: reads names, IPv4 and bracketed IPv6 addresses, and a bare port", () => {
  for (
    const [text, hostname, port] of [
      ["127.0.0.1:8080", "127.0.0.1", 8080],
      ["localhost:0", "localhost", 0],
      ["[::1]:65535", "::1", 65535],
      [":8080", "0.0.0.0", 8080],
    ] as const
  ) {
    assert.deepEqual(parseListenAddress(text), { hostname, port });
  }
});

Deno.test("parseListenAddress: refuses everything else", () => {
  for (const text of ["", "8080", "a:", "a:b", "::1:80", "a:65536", "a:123456", "http://a:80", "a b:80", "[::1]"]) {
    assert.equal(parseListenAddress(text), undefined, text);
  }
});

Deno.test("addressText: puts IPv6 addresses in brackets", () => {
  assert.equal(addressText({ hostname: "::1", port: 80 }), "[::1]:80");
  assert.equal(addressText({ hostname: "a.example", port: 80 }), "a.example:80");
});
