/** Calls over HTTP/2, which has no headers about connections. */
import { once } from "node:events";
import { type ClientHttp2Session, connect, createServer as createHttp2 } from "node:http2";
import type { AddressInfo } from "node:net";
import Koa from "koa";
import { expect, test } from "vitest";
import { koaMiddleware } from "../../../generator/runtime/src/koa.ts";
import { nodeListener } from "../../../generator/runtime/src/node.ts";
import { createServer as createFeeds } from "../../fixtures/feeds/generated/server.ts";
import { createServer as createShop, rpcError } from "../../fixtures/shop/generated/server.ts";
import { shopHandlers } from "./shop.ts";

async function* Beat() {
  yield { beat: 1 };
}
const feeds = createFeeds({ Feeds: { Watch: Beat, Count: Beat, Beat } } as never);
const connectionHeaders = ["Connection", "Keep-Alive", "Proxy-Connection", "Transfer-Encoding", "Upgrade"];
const text = "x".repeat(5_000_000);
const shop = createShop({
  ...shopHandlers,
  Shop: {
    ...shopHandlers.Shop,
    Ping: (ctx) => {
      for (const name of connectionHeaders)
        expect(() => ctx.setHeader(name, "close")).toThrow("set by the server");
      return {};
    },
    Echo: () => ({ value: text }),
    GetItem: () => {
      throw rpcError.NotFound({
        headers: Object.fromEntries(connectionHeaders.map((name) => [name, "close"])),
      });
    },
  },
});

const listeners = {
  "node-http": () => [nodeListener(shop), nodeListener(feeds)],
  koa: () => [new Koa().use(koaMiddleware(shop)).callback(), new Koa().use(koaMiddleware(feeds)).callback()],
};

test.each(Object.entries(listeners))("over %s", async (_name, listen) => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning);
  process.on("warning", onWarning);
  const [shopListener, feedsListener] = listen();
  const http = createHttp2((req, res) => {
    const listener = req.url.startsWith("/rpc/") ? feedsListener : shopListener;
    listener?.(req as never, res as never);
  }).listen(0, "127.0.0.1");
  await once(http, "listening");
  const session = connect(`http://127.0.0.1:${(http.address() as AddressInfo).port}`);
  try {
    const rows = [
      await call(session, "/v2/rpc/Shop/Ping", "{}"),
      await call(session, "/v2/rpc/Shop/GetItem", '{"id":1}'),
      // Above what a server of HTTP/1.1 reads before it closes the connection.
      await call(session, "/v2/rpc/Shop/Ping", "{}", { "content-length": 65 * 1024 * 1024 }),
      await call(session, "/v2/rpc/Shop/Echo", '{"value":1}'),
      await call(session, "/rpc/Feeds/Beat", "{}"),
    ];
    expect(rows.map(([status, , length]) => [status, length > 0])).toEqual([
      [200, true],
      [404, true],
      [413, true],
      [200, true],
      [200, true],
    ]);
    expect(rows[3]?.[2]).toBe(JSON.stringify({ value: text }).length);
    for (const [, names] of rows)
      expect(names.filter((name) => connectionHeaders.some((one) => one.toLowerCase() === name))).toEqual([]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  } finally {
    process.off("warning", onWarning);
    session.destroy();
    http.close();
  }
});

/** Returns status, names of headers, and length of the body. */
async function call(
  session: ClientHttp2Session,
  path: string,
  body: string,
  headers: Readonly<Record<string, string | number>> = {},
): Promise<readonly [number, readonly string[], number]> {
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/json",
    ...headers,
  });
  stream.on("error", () => {});
  if ("content-length" in headers) stream.write(body);
  else stream.end(body);
  let length = 0;
  stream.on("data", (chunk: Buffer) => {
    length += chunk.length;
  });
  const [found] = await once(stream, "response");
  await once(stream, "end");
  stream.destroy();
  return [found[":status"], Object.keys(found), length];
}
