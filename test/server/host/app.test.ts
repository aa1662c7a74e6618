import { EventEmitter, once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { Networks } from "../../../server/chain/networks/networks.ts";
import { readNetworks } from "../../../server/chain/networks/settings.ts";
import { type AppOptions, createApp } from "../../../server/host/app.ts";
import { type RawRequest, rawRequest } from "../../support/raw-http.ts";

let server: Server | undefined;
afterEach(() => {
  vi.useRealTimers();
  server?.close();
});

/** Serves an app whose parts accept every call, except the given ones. Returns the response body. */
async function openApp(given: object): Promise<(request: RawRequest) => Promise<object>> {
  const parts = {
    networks: new Networks(
      readNetworks({ networks: ["polygon"], rpcUrls: [], networkDetails: undefined }).networks,
    ),
    services: ["API", "Marketplace"],
    appVersion: "test",
    events: { called: () => {} },
    database: { query: async () => [], sharedBy: () => ({ query: async () => [], isFull: () => false }) },
    credentials: {
      authorize: async () => ({ caller: { projectId: 1, keyPrefix: "AQAA", account: undefined } }),
    },
    rateLimits: { countAddress: async () => undefined, countProject: async () => undefined },
    trustedProxies: () => false,
    secretKeyOrigins: [],
    ...given,
  };
  server = createServer(createApp(parts as unknown as AppOptions).koa.callback()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return async (request) => JSON.parse((await rawRequest(port, request)).body) as object;
}

test.each([
  [9_999, { orders: [] }],
  [10_000, { error: "Aborted" }],
  [10_001, { error: "Aborted" }],
])("a handler may take ten seconds: after %i ms the response is %j", async (ms, answer) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const reads = new EventEmitter();
  const query = async (): Promise<readonly object[]> => {
    const told = once(reads, "answer");
    reads.emit("asked");
    await told;
    return [];
  };
  const database = { query: async () => [], sharedBy: () => ({ query, isFull: () => false }) };
  const call = await openApp({ database });
  const body = JSON.stringify({ input: [{ contractAddress: `0x${"1".repeat(40)}`, orderId: "1" }] });
  const asked = once(reads, "asked");
  const answered = call({ path: "/rpc/Marketplace/GetOrders", body });
  await asked;
  vi.advanceTimersByTime(ms);
  reads.emit("answer");
  expect(await answered).toMatchObject(answer);
});

test.each([
  [16_383, []],
  [16_384, [16_384]],
  [16_385, [16_385]],
])("a body of %i bytes counts as %j bytes for its address", async (bytes, counted) => {
  const found: number[] = [];
  const rateLimits = {
    countAddress: async () => undefined,
    countBody: async (_address: string, size: number) => void found.push(size),
  };
  const call = await openApp({ rateLimits });
  const body = JSON.stringify({ padding: "x".repeat(bytes - 14) });
  expect(body).toHaveLength(bytes);
  expect(await call({ path: "/rpc/API/Ping", body })).toEqual({ status: true });
  expect(found).toEqual(counted);
});

test.each([
  ["/rpc/Marketplace/Execute", [9]],
  ["/rpc/Marketplace/GetOrders", []],
])("a call of %s counts as %j further calls", async (path, expected) => {
  const found: number[] = [];
  const rateLimits = {
    countAddress: async () => undefined,
    countBody: async () => {},
    countFurther: async (_address: string, calls: number) => void found.push(calls),
    countProject: async () => undefined,
  };
  const call = await openApp({ rateLimits });
  await call({ path, body: "{}" });
  expect(found).toEqual(expected);
});
