/** Clients and servers of a schema with routes, over real sockets. */
import { Agent } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../../../generator/runtime/src/client.ts";
import type { RpcError } from "../../../../generator/runtime/src/errors.ts";
import { fetchHandler } from "../../../../generator/runtime/src/fetch.ts";
import type { RpcServer } from "../../../../generator/runtime/src/server.ts";
import { limitedFetch, memoryTransport } from "../../../../generator/runtime/src/transport.ts";
import { undiciTransport } from "../../../../generator/runtime/src/undici.ts";
import { Items, Teams } from "../../../fixtures/routes/generated/client.ts";
import { createServer } from "../../../fixtures/routes/generated/server.ts";
import type { Params } from "../../../fixtures/routes/generated/types.ts";
import { Items as WideItems } from "../../../fixtures/routes/generated-bigint/client.ts";
import { createServer as createWideServer } from "../../../fixtures/routes/generated-bigint/server.ts";
import type { Params as WideParams } from "../../../fixtures/routes/generated-bigint/types.ts";
import { adapterNames, type RunningServer, serveWith } from "../../../support/adapters.ts";
import { routedHandlers } from "./handlers.ts";

const server = createServer(routedHandlers, { checkResponses: true });
const wideServer = createWideServer(routedHandlers as never, { checkResponses: true });

const dispatcher = new Agent();
afterAll(() => dispatcher.destroy());

const transports: Readonly<Record<string, (server: RpcServer) => Partial<Client>>> = {
  fetch: () => ({}),
  "bounded fetch": () => ({ transport: limitedFetch(100_000) }),
  undici: () => ({ transport: undiciTransport(dispatcher) as never }),
  memory: (called) => ({ transport: memoryTransport(fetchHandler(called)) }),
};

const params: Params = {
  small: -128,
  unsigned: 4_294_967_295,
  signed: Number.MIN_SAFE_INTEGER,
  huge: Number.MAX_SAFE_INTEGER,
  native: -1,
  ratio: 1e-7,
  isOn: false,
  kind: "USER",
  at: "2025-01-31T12:00:00.123456789Z",
  slug: "a/b c+é?#&%{}",
};
const wideParams: WideParams = { ...params, signed: -(2n ** 63n), huge: 2n ** 64n - 1n };

describe.each(adapterNames)("over %s", (adapter) => {
  let running: RunningServer;
  let wide: RunningServer;
  beforeAll(async () => {
    running = await serveWith(adapter, server);
    wide = await serveWith(adapter, wideServer);
  });
  afterAll(async () => {
    await running[Symbol.asyncDispose]();
    await wide[Symbol.asyncDispose]();
  });

  describe.each(Object.keys(transports))("by %s", (name) => {
    const clientOf = ({ url }: RunningServer, called: RpcServer): Client => ({
      url,
      ...transports[name]?.(called),
    });

    test("each verb arrives", async () => {
      const items = new Items(clientOf(running, server));
      const item = { id: 5, name: "item 5", tags: [] };
      expect(await items.getItem({ id: 5 })).toEqual({ item });
      expect(await items.createItem({ name: "a", tags: ["b"] })).toEqual({
        item: { id: 0, name: "a", tags: ["b"] },
      });
      expect(await items.updateItem({ ...item, name: "a" })).toEqual({ ...item, name: "a" });
      expect(await items.patchItem({ id: 5 })).toEqual({ item: { ...item, name: "unchanged" } });
      expect(await items.deleteItem({ id: 5 })).toEqual({});
      expect(await items.queryItems({ text: "a b+c", limit: 7 })).toEqual({ found: ["a b+c", "7"] });
      expect(await items.resetItems()).toEqual({});
      expect(await items.rpcMethod({ id: 5 })).toEqual({ id: 5 });
    });

    test("each type arrives by path and query", async () => {
      const items = new Items(clientOf(running, server));
      expect(await items.echoParams(params)).toEqual(params);
      expect(await items.echoPath(params)).toEqual(params);
    });

    test("64-bit integers arrive with all digits", async () => {
      const items = new WideItems(clientOf(wide, wideServer));
      expect(await items.echoParams(wideParams)).toEqual(wideParams);
      expect(await items.echoPath(wideParams)).toEqual(wideParams);
    });

    test("lists and parameters of the service's path arrive", async () => {
      const teams = new Teams(clientOf(running, server));
      const request = { org: "a/b", lists: [1, -2, Number.MAX_SAFE_INTEGER] };
      expect(await teams.listTeams(request)).toEqual(request);
      expect(await teams.listTeams({ org: "..a", lists: [] })).toEqual({ org: "..a", lists: [] });
      const renamed = { org: "__proto__", id: 7, toString: "é" };
      expect(await teams.renameTeam(renamed)).toEqual(renamed);
      expect(await teams.findTeam({ org: "a" } as never)).toEqual({ org: "a" });
    });

    test("errors arrive", async () => {
      const items = new Items(clientOf(running, server));
      const failed = async (call: Promise<unknown>): Promise<unknown> => call.catch((one: RpcError) => one);
      expect(await failed(items.patchItem({ id: 404 }))).toMatchObject({ code: 100, status: 404 });
      expect(await failed(items.echoParams({ ...params, small: 128 }))).toMatchObject({
        code: -4,
        cause: `invalid query param 'small': "128" is not a valid int8`,
        issues: [{ path: ["small"], expected: "a valid int8", found: '"128"' }],
      });
      expect(await failed(items.echoPath({ ...params, kind: "NOBODY" as never }))).toMatchObject({
        code: -4,
        issues: [{ path: ["kind"] }],
      });
    });
  });
});
