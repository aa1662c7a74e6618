/** Extreme values of each type over every adapter and transport, with 64-bit integers as numbers and as bigints. */
import { readFileSync } from "node:fs";
import { Agent } from "undici";
import { afterAll, describe, expect, test } from "vitest";
import type { Client } from "../../generator/runtime/src/client.ts";
import { fetchHandler } from "../../generator/runtime/src/fetch.ts";
import type { RpcServer } from "../../generator/runtime/src/server.ts";
import { limitedFetch, memoryTransport } from "../../generator/runtime/src/transport.ts";
import { undiciTransport } from "../../generator/runtime/src/undici.ts";
import * as asNumber from "../fixtures/wire/generated/client.ts";
import { createServer as serverWithNumbers } from "../fixtures/wire/generated/server.ts";
import * as asBigint from "../fixtures/wire/generated-bigint/client.ts";
import { createServer as serverWithBigints } from "../fixtures/wire/generated-bigint/server.ts";
import { adapterNames, serveWith } from "../support/adapters.ts";
import { type Echo, echoExtremes } from "../support/echo-extremes.ts";
import { type ExtremesFile, extremes } from "../support/extremes.ts";
import { echoHandlers } from "../support/feed.ts";
import { rawRequest } from "../support/raw-http.ts";

const file = JSON.parse(readFileSync(new URL("extremes.json", import.meta.url), "utf8")) as ExtremesFile;

const forms = {
  number: { echo: asNumber.echo as Echo, server: serverWithNumbers(echoHandlers, { checkResponses: true }) },
  bigint: { echo: asBigint.echo as Echo, server: serverWithBigints(echoHandlers, { checkResponses: true }) },
} as const;

const dispatcher = new Agent();
afterAll(() => dispatcher.destroy());

const transports: Readonly<Record<string, (server: RpcServer) => Partial<Client>>> = {
  fetch: () => ({}),
  "bounded fetch": () => ({ transport: limitedFetch(2_000_000) }),
  undici: () => ({ transport: undiciTransport(dispatcher) }),
  memory: (server) => ({ transport: memoryTransport(fetchHandler(server)) }),
};

describe.each(["number", "bigint"] as const)("integers of 64 bits as %s", (form) => {
  const { echo, server } = forms[form];
  const rows = extremes(file, form);

  describe.each(adapterNames)("over %s", (adapter) => {
    test("bodies are echoed exactly, or rejected", async () => {
      await using running = await serveWith(adapter, server);
      const seen: unknown[] = [];
      const wanted: unknown[] = [];
      for (const { about, sent, answer } of rows) {
        const { status, body } = await rawRequest(running.port, { path: "/api/v2/Wire/Echo", body: sent });
        seen.push(status === 200 ? { about, body } : { about, status, code: JSON.parse(body).code });
        wanted.push(answer === undefined ? { about, status: 400, code: -4 } : { about, body: answer });
      }
      expect(seen).toEqual(wanted);
    });

    test("text that is not Unicode is rejected", async () => {
      await using running = await serveWith(adapter, server);
      // A high surrogate as three bytes, an incomplete sequence, and a byte that UTF-8 never uses.
      for (const bytes of ["eda080", "e282", "ff"]) {
        const body = Buffer.concat([Buffer.from('{"text":"'), Buffer.from(bytes, "hex"), Buffer.from('"}')]);
        const answer = await rawRequest(running.port, { path: "/api/v2/Wire/EchoText", body });
        expect(JSON.parse(answer.body)).toMatchObject({ code: -4, cause: "the body is not UTF-8" });
      }
    });
  });

  // A transport sees the same bytes from every adapter, so each runs with one.
  test.each([
    ["fetch", "koa"],
    ["fetch", "node-http"],
    ["fetch", "fetch"],
    ["bounded fetch", "node-http"],
    ["undici", "node-http"],
    ["memory", "node-http"],
  ] as const)("values are what they were, by %s over %s", async (name, adapter) => {
    await using running = await serveWith(adapter, server);
    const settings = transports[name]?.(server);
    expect(await echoExtremes(echo, { url: running.url, ...settings }, rows)).toEqual([]);
  });
});

describe.each(adapterNames)("over %s", (adapter) => {
  test.each(Object.keys(transports))("items of streams keep all 64 bits, by %s", async (name) => {
    await using running = await serveWith(adapter, forms.bigint.server);
    const settings = transports[name]?.(forms.bigint.server);
    const query = { feed: "one", from: 2n ** 64n - 1n, count: 1n };
    const items: unknown[] = [];
    for await (const item of asBigint.watch({ url: running.url, ...settings }, query)) items.push(item);
    const at = "2024-02-29T12:00:00.123456789Z";
    expect(items).toEqual([{ sequence: 2n ** 64n - 1n, amount: 2n ** 64n, at }]);
  });
});
