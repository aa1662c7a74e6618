/** Reads, mounted in frameworks: versions, conditions and parts of files. */
import { createServer as createHttp } from "node:http";
import Koa from "koa";
import { describe, expect, test } from "vitest";
import { koaMiddleware } from "../../generator/runtime/src/koa.ts";
import { nodeListener } from "../../generator/runtime/src/node.ts";
import { createServer } from "../fixtures/reads/generated/server.ts";
import { newShelf } from "../generator/runtime/reads/handlers.ts";
import { listen } from "../support/adapters.ts";
import { mounts, serveMounted } from "./mounts.ts";
import { isInstalled } from "./packages.ts";

const server = createServer(newShelf().handlers, { checkResponses: true });
const getOrder = `/rpc/Shop/GetOrder?q=${encodeURIComponent('{"id":1}')}`;

describe.skipIf(!isInstalled).each(Object.entries(mounts))("%s", (_name, mount) => {
  test("serves reads by GET, HEAD and QUERY", async () => {
    await using running = await serveMounted(mount, server);
    const ask = (path: string, headers = {}, method = "GET", body: string | null = null) =>
      fetch(`${running.url}${path}`, { method, headers, body });
    const read = await ask(getOrder);
    expect(await read.json()).toEqual({ order: { id: 1, note: "one" } });
    const etag = read.headers.get("etag") ?? "";
    expect(read.headers.get("cache-control")).toBe("max-age=60");
    expect(read.headers.get("vary")).toContain("X-Access-Key");
    const same = await ask(getOrder, { "If-None-Match": etag });
    expect([same.status, await same.text(), same.headers.get("etag")]).toEqual([304, "", etag]);
    expect((await ask(getOrder, {}, "HEAD")).headers.get("etag")).toBe(etag);
    const json = { "Content-Type": "application/json" };
    const viaQuery = await ask("/rpc/Shop/GetOrder", json, "QUERY", '{"id":1}');
    expect([viaQuery.status, viaQuery.headers.get("etag")]).toEqual([200, etag]);
    const picture = `/rpc/Shop/Picture?q=${encodeURIComponent('{"id":2}')}`;
    const part = await ask(picture, { Range: "bytes=2-4" });
    expect([part.status, part.headers.get("content-range"), await part.text()]).toEqual([
      206,
      "bytes 2-4/10",
      "234",
    ]);
    const head = await ask(picture, {}, "HEAD");
    expect([head.status, head.headers.get("content-length")]).toEqual([200, "10"]);
    const write = await ask(
      "/rpc/Shop/ChangeOrder",
      { ...json, "If-Match": '"x"' },
      "POST",
      '{"id":1,"note":"a"}',
    );
    expect(write.status).toBe(412);
    const length = `${mount.prefix}/rpc/Shop/FindOrders?q=${encodeURIComponent('{"filter":{"tags":[""]}}')}`
      .length;
    for (const [more, status] of [
      [2_000 - length, 200],
      [2_001 - length, 414],
    ] as const) {
      const q = encodeURIComponent(`{"filter":{"tags":["${"a".repeat(more)}"]}}`);
      expect((await ask(`/rpc/Shop/FindOrders?q=${q}`)).status).toBe(status);
    }
  });
});

describe("Vary that other code has set is kept", () => {
  test.each([
    [
      "node-http",
      createHttp((req, res) => {
        res.setHeader("Vary", "Origin");
        nodeListener(server)(req, res);
      }),
    ],
    [
      "koa",
      createHttp(
        new Koa()
          .use((ctx, next) => {
            ctx.vary("Origin");
            return next();
          })
          .use(koaMiddleware(server))
          .callback(),
      ),
    ],
  ])("%s", async (_name, http) => {
    await using running = await listen(http);
    for (const path of [getOrder, `/rpc/Shop/Count`]) {
      const read = await fetch(`${running.url}${path}`, { headers: { "If-None-Match": '"x"' } });
      expect(read.headers.get("vary")).toMatch(/^Origin, /);
      const same = await fetch(`${running.url}${path}`, { headers: { "If-None-Match": "*" } });
      expect([same.status, same.headers.get("vary")]).toEqual([304, read.headers.get("vary")]);
    }
  });
});
