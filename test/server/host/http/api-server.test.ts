import Koa from "koa";
import { expect, test } from "vitest";
import { koaMiddleware } from "../../../../generator/runtime/src/koa.ts";
import { openApiServer } from "../../../../server/host/http/api-server.ts";
import { watch } from "../../../fixtures/wire/generated/client.ts";
import { createServer } from "../../../fixtures/wire/generated/server.ts";
import { watched, wireHandlers } from "../../../support/feed.ts";

test("closing the API server ends streams, and their callers see a lost stream", async () => {
  const rpc = createServer(wireHandlers(watched()));
  const koa = new Koa().use(koaMiddleware(rpc));
  const cutOff: number[] = [];
  const apiServer = await openApiServer({ koa, rpc, bodies: { tick() {} } } as never, {
    connectionsPerAddress: 10,
    trustedProxies: () => false,
    host: "127.0.0.1",
    port: 0,
    maxCalls: 10,
    maxLagMs: 1_000,
    drainMs: 60_000,
    onRejection: () => {},
    onCutOff: (connections) => cutOff.push(connections),
  });
  const stream = watch({ url: apiServer.url }, { feed: "paced", from: 0, count: 0 }, { reconnect: false });
  await stream.next();
  const rest = (async () => {
    for await (const _item of stream);
  })().catch((thrown: unknown) => thrown);
  await apiServer[Symbol.asyncDispose]();
  expect(await rest).toMatchObject({ code: -9 });
  expect(cutOff).toEqual([]);
});
