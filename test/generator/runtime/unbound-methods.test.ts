/** The members of generated classes as values: `const { getOrders } = client`, `list.map(client.getPet)`. */
import { describe, expect, test } from "vitest";
import type { Client } from "../../../generator/runtime/src/client.ts";
import { subscribe } from "../../../generator/runtime/src/client-streams.ts";
import { fetchHandler } from "../../../generator/runtime/src/fetch.ts";
import { memoryTransport } from "../../../generator/runtime/src/transport.ts";
import * as files from "../../fixtures/files/generated/client.ts";
import * as keys from "../../fixtures/keys/generated/client.ts";
import * as market from "../../fixtures/market/generated/client.ts";
import * as pages from "../../fixtures/pages/generated/client.ts";
import * as reads from "../../fixtures/reads/generated/client.ts";
import * as routes from "../../fixtures/routes/generated/client.ts";
import * as wire from "../../fixtures/wire/generated/client.ts";
import { createServer } from "../../fixtures/wire/generated/server.ts";
import { watched, wireHandlers } from "../../support/feed.ts";

const clients = Object.entries({ files, keys, market, pages, reads, routes, wire });

/** The classes of services, of all clients. */
const classes = clients.flatMap(([name, module]) =>
  Object.entries(module).flatMap(([service, exported]) =>
    typeof exported === "function" &&
    `${exported}`.startsWith("class") &&
    /readonly|client;/.test(`${exported}`)
      ? [[name, service, exported as unknown as new (client: Client) => object] as const]
      : [],
  ),
);

test("the classes of services are found", () => {
  expect(classes.length).toBeGreaterThanOrEqual(clients.length);
});

describe.each(classes)("%s: %s", (_name, _service, Service) => {
  const sent: string[] = [];
  const transport: Client["transport"] = async (url) => {
    sent.push(url);
    throw new Error("lost");
  };
  const service = new Service({ url: "http://a", transport });
  const methods = Object.entries(service).filter(([, value]) => typeof value === "function");

  test("has no method that needs `this`", () => {
    expect(Object.getOwnPropertyNames(Service.prototype)).toEqual(["constructor"]);
    expect(methods.length).toBeGreaterThan(0);
  });

  test.each(methods)("%s sends a call without `this`", async (_method, method) => {
    sent.length = 0;
    const answer: unknown = (method as (req: object) => unknown)({
      id: "1",
      name: "a",
      files: [],
      source: new Blob([]),
    });
    if (answer instanceof Promise) await answer.catch(() => {});
    else await (answer as { next(): Promise<unknown> }).next().catch(() => {});
    // A route may refuse the request, which is not a TypeError of `this`.
    expect(sent.length).toBeLessThanOrEqual(1);
    if (answer instanceof Promise) await expect(answer).rejects.not.toThrow(/Cannot read propert/);
  });
});

describe("a stream", () => {
  const transport = memoryTransport(fetchHandler(createServer(wireHandlers(watched()))));
  const client = { url: "http://a", transport };

  test("gives its functions", async () => {
    const { watch } = new wire.Wire(client);
    const { next, return: end } = watch({ feed: "plain", from: 0, count: 3 });
    expect((await next()).value).toMatchObject({ sequence: 0 });
    expect(await end()).toEqual({ done: true, value: undefined });
    expect(await next()).toEqual({ done: true, value: undefined });
  });

  test("with callbacks gives its functions", async () => {
    const { watch } = new wire.Wire(client);
    const errors: number[] = [];
    const { abort, closed } = subscribe((options) => watch({ feed: "endless", from: 0, count: 0 }, options), {
      onMessage: () => abort("enough"),
      onError: ({ code }) => errors.push(code),
    });
    await closed;
    expect(errors).toEqual([-8]);
  });
});
