/** Methods with routes, mounted in frameworks. */
import { describe, expect, test } from "vitest";
import { createServer } from "../fixtures/routes/generated/server.ts";
import { routedHandlers } from "../generator/runtime/routes/handlers.ts";
import { mounts, serveMounted } from "./mounts.ts";
import { isInstalled } from "./packages.ts";

const server = createServer(routedHandlers, { checkResponses: true });

const item = { id: 5, name: "item 5", tags: [] };

describe.skipIf(!isInstalled).each(Object.entries(mounts))("%s", (_name, mount) => {
  test("serves each verb, and paths and queries as they were sent", async () => {
    await using running = await serveMounted(mount, server);
    const ask = async (method: string, path: string, body?: unknown) => {
      const response = await fetch(`${running.url}/rpc${path}`, {
        method,
        headers: body === undefined ? {} : { "Content-Type": "application/json" },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const text = await response.text();
      return [response.status, text === "" ? undefined : JSON.parse(text)];
    };
    expect(await ask("GET", "/items/5")).toEqual([200, { item }]);
    expect(await ask("HEAD", "/items/5")).toEqual([200, undefined]);
    expect(await ask("DELETE", "/items/5")).toEqual([200, {}]);
    expect(await ask("QUERY", "/items/search?text=a%20b")).toEqual([200, { found: ["a b", "undefined"] }]);
    expect(await ask("GET", "/items?limit=1&tags=a&tags=b%26c")).toMatchObject([
      200,
      { request: { limit: 1, tags: ["a", "b&c"] } },
    ]);
    expect(await ask("PUT", "/items/5", { id: 6, name: "é", tags: [] })).toEqual([
      200,
      { ...item, name: "é" },
    ]);
    expect(await ask("PATCH", "/items/5", {})).toMatchObject([200, { item: { name: "unchanged" } }]);
    expect(await ask("POST", "/items/reset", {})).toEqual([200, {}]);
    expect(await ask("GET", "/items/5/children/a%2Fb")).toEqual([200, { id: 5, childId: "a/b" }]);
    expect(await ask("GET", "/items/x")).toMatchObject([400, { code: -4 }]);
    expect(await ask("POST", "/items/5", {})).toMatchObject([405, { code: -3 }]);
    expect(await ask("POST", "/Items/GetItem", { id: 5 })).toMatchObject([404, { code: -2 }]);
    expect(await ask("POST", "/Items/RpcMethod", { id: 5 })).toEqual([200, { id: 5 }]);
  });
});
