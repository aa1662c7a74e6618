import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { handleCors, loopbackOnly, loopbackRejection } from "../../../../generator/tools/dev/loopback.ts";

const guard = { hosts: ["Dev.example"], origins: ["https://app.example"] };

describe("the header Host", () => {
  test.each([
    "localhost",
    "LOCALHOST:3000",
    "api.localhost:3000",
    "127.0.0.1",
    "127.255.255.255:80",
    "[::1]",
    "[::1]:3000",
  ])("%s is this machine", (host) => {
    expect(loopbackRejection({ host }, loopbackOnly)).toBeUndefined();
  });

  test.each([
    undefined,
    "",
    "evil.example",
    "evil.example:3000",
    "localhost.evil.example",
    "evillocalhost",
    "127.0.0.1.evil.example",
    "1127.0.0.1",
    "128.0.0.1",
    "0.0.0.0",
    "[::2]",
    "[::1",
    "localhost:3000:3000",
    "localhost:123456",
    "localhost@evil.example",
    "dev.example",
  ])("%s is not", (host) => {
    expect(loopbackRejection({ host }, loopbackOnly)).toMatchObject({ header: "Host" });
  });

  test("may be a name that is allowed, in any letter case and with any port, and no name below it", () => {
    expect(loopbackRejection({ host: "dev.example:1" }, guard)).toBeUndefined();
    expect(loopbackRejection({ host: "DEV.example" }, guard)).toBeUndefined();
    expect(loopbackRejection({ host: "a.dev.example" }, guard)).toBeDefined();
  });
});

describe("the header Origin", () => {
  const host = "localhost:3000";

  test.each([
    undefined,
    "http://localhost:5173",
    "https://localhost",
    "http://127.0.0.1:1",
    "http://[::1]:5173",
    "http://app.localhost",
    "chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn",
    "moz-extension://b1f2",
  ])("%s may call", (origin) => {
    expect(loopbackRejection({ host, origin }, loopbackOnly)).toBeUndefined();
  });

  test.each([
    "null",
    "",
    "https://evil.example",
    "http://localhost.evil.example",
    "http://evil.example:3000",
    "ftp://localhost",
    "https://app.example",
    "http://dev.example",
  ])("%s may not", (origin) => {
    expect(loopbackRejection({ host, origin }, loopbackOnly)).toEqual({ header: "Origin", value: origin });
  });

  test("may be one that is allowed, or a page of an allowed host", () => {
    for (const origin of ["https://app.example", "https://APP.example", "http://dev.example:8080"])
      expect(loopbackRejection({ host, origin }, guard)).toBeUndefined();
    for (const origin of ["http://app.example", "https://app.example:8443", "https://a.app.example"])
      expect(loopbackRejection({ host, origin }, guard)).toBeDefined();
  });
});

describe("CORS headers", () => {
  const origin = "http://localhost:5173";
  const preflight = { origin, "access-control-request-method": "POST" };

  test.each<[string, string, Readonly<Record<string, string>>, number, (string | null)[]]>([
    ["a call without an origin", "POST", {}, 200, [null, null]],
    ["a call: its page may read Retry-After and all other headers", "POST", { origin }, 200, [origin, "*"]],
    ["a preflight request", "OPTIONS", preflight, 204, [origin, "*"]],
    ["another OPTIONS request", "OPTIONS", { origin }, 200, [origin, "*"]],
  ])("of %s", async (_, method, headers, status, [allowed, exposed]) => {
    const server = createServer((req, res) => {
      if (!handleCors(req, res, "POST")) res.end();
    }).listen(0, "127.0.0.1");
    await new Promise((done) => server.once("listening", done));
    try {
      const { port } = server.address() as AddressInfo;
      const response = await fetch(`http://127.0.0.1:${port}`, { method, headers });
      expect(response.status).toBe(status);
      expect(response.headers.get("vary")).toBe("Origin");
      expect(response.headers.get("access-control-allow-origin")).toBe(allowed);
      expect(response.headers.get("access-control-expose-headers")).toBe(exposed);
    } finally {
      server.close();
    }
  });
});
