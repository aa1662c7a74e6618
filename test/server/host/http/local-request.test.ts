import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { isLocalRequest } from "../../../../server/host/http/caller-address.ts";

test.each([
  [{}, true],
  [{ host: "127.0.0.1:4000" }, true],
  [{ host: "[::1]:4000" }, true],
  [{ host: undefined }, false],
  [{ host: "evil.example:4000" }, false],
  [{ origin: "http://localhost:4000" }, true],
  [{ origin: "http://127.0.0.1:4000" }, true],
  [{ origin: "http://[::1]:4000" }, true],
  [{ origin: "http://localhost:4001" }, false],
  [{ origin: "https://localhost:4000" }, false],
  [{ origin: "http://a.localhost:4000" }, false],
  [{ origin: "null" }, false],
  [{ "sec-fetch-site": "same-origin" }, true],
  [{ "sec-fetch-site": "none" }, true],
  [{ "sec-fetch-site": "same-site" }, false],
  [{ "sec-fetch-site": "cross-site" }, false],
])("whether a request with %j is local: %s", (headers, isLocal) => {
  const socket = { localPort: 4_000, remoteAddress: "127.0.0.1" };
  const req = { headers: { host: "localhost:4000", ...headers }, socket };
  expect(isLocalRequest(req as unknown as IncomingMessage)).toBe(isLocal);
});

test.each([
  ["127.0.0.2", true],
  ["::1", true],
  ["::ffff:127.0.0.1", true],
  ["::ffff:10.0.0.1", false],
  ["::12", false],
  ["10.127.0.1", false],
  [undefined, false],
])("whether a request from %s is local: %s", (remoteAddress, isLocal) => {
  const req = { headers: { host: "localhost:4000" }, socket: { localPort: 4_000, remoteAddress } };
  expect(isLocalRequest(req as unknown as IncomingMessage)).toBe(isLocal);
});
