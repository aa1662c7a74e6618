import { once } from "node:events";
import type { AddressInfo } from "node:net";
import Koa from "koa";
import { expect, test } from "vitest";
import { cors, corsHeaders } from "../../../../server/host/http/cors.ts";
import { rawRequest } from "../../../support/raw-http.ts";

const preflight = { Origin: "https://a.example", "Access-Control-Request-Method": "POST" };
const exposed = "Webrpc, X-Request-Id, Retry-After, X-RateLimit-Scope, ETag, Stream-Position";

test.each([
  ["OPTIONS", "/rpc/API/Ping", preflight, 204],
  ["OPTIONS", "/rpc/API/Nope", preflight, 404],
  ["OPTIONS", "/rpc/API/Ping", { Origin: "https://a.example" }, 404],
  ["OPTIONS", "/rpc/API/Ping", { "Access-Control-Request-Method": "POST" }, 404],
  ["POST", "/rpc/API/Ping", preflight, 404],
])(
  "%s %s with %j gets %i, with headers that let every page read it",
  async (method, path, headers, status) => {
    const koa = new Koa().use(cors((at) => at === "/rpc/API/Ping"));
    const server = koa.listen(0, "127.0.0.1");
    try {
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      const answer = await rawRequest(port, { method, path, headers });
      expect(answer.status).toBe(status);
      expect(answer.headers).toMatchObject({
        "access-control-allow-origin": "*",
        "access-control-expose-headers": exposed,
      });
      const {
        "access-control-allow-methods": methods,
        "access-control-allow-headers": names,
        "access-control-max-age": age,
      } = answer.headers;
      const all =
        "Content-Type, Webrpc, X-Access-Key, Authorization, X-Request-Id, If-None-Match, Idempotency-Key";
      expect([methods, names, age]).toEqual(
        status === 204 ? ["POST, GET, QUERY", all, "86400"] : [undefined, undefined, undefined],
      );
    } finally {
      server.close();
    }
  },
);

test("responses that bypass the middleware have the same headers", () => {
  expect(corsHeaders).toEqual({
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": exposed,
  });
});
