/** A program that uses one signal for many calls at a time, and prints the listeners of the signal and the warnings. */
import { getEventListeners, once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent } from "undici";
import type { Client } from "../../generator/runtime/src/client.ts";
import { reauthenticate, retries } from "../../generator/runtime/src/client.ts";
import { nodeListener } from "../../generator/runtime/src/node.ts";
import { pages } from "../../generator/runtime/src/paging.ts";
import { undiciTransport } from "../../generator/runtime/src/undici.ts";
import { Semaphore } from "../../server/base/semaphore.ts";
import { NodeBudget } from "../../server/chain/rpc/nodes/node-budget.ts";
import { withDeadline } from "../../server/chain/rpc/nodes/node-failover.ts";
import { fetch as fetchFile } from "../fixtures/files/generated/client.ts";
import { createServer as createFileServer } from "../fixtures/files/generated/server.ts";
import { titles } from "../fixtures/pages/generated/client.ts";
import { createServer as createPageServer } from "../fixtures/pages/generated/server.ts";
import { echoText, watch as watchFeed } from "../fixtures/wire/generated/client.ts";
import { createServer as createWireServer } from "../fixtures/wire/generated/server.ts";
import { watched, wireHandlers } from "../support/feed.ts";

const warnings: string[] = [];
process.on("warning", ({ message }) => warnings.push(message));

/** Serves an API on a socket, and closes it with the process. */
async function served(server: Parameters<typeof nodeListener>[0]): Promise<string> {
  const http = createHttpServer(nodeListener(server)).listen(0, "127.0.0.1");
  await once(http, "listening");
  http.unref();
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

/** Handlers for all methods of a service. */
function allOf(names: string, handler: unknown): object {
  return Object.fromEntries(names.split(" ").map((name) => [name, handler]));
}

const file = (): Blob => new Blob(["x".repeat(100_000)]);
const depot = "Store StoreMany Submit Attach Fetch Turn Export Read";
const titlesOf = (_: unknown, { page = 0 }): object => (page > 2 ? {} : { titles: ["a"] });
const library = "ListBooks Titles Search Scan Items";
const wire = await served(createWireServer(wireHandlers(watched())));
const files = await served(createFileServer({ Depot: allOf(depot, file) } as never));
const lists = await served(createPageServer({ Library: allOf(library, titlesOf) } as never));

const transports: Readonly<Record<string, Partial<Client>>> = {
  fetch: {},
  undici: { transport: undiciTransport(new Agent()) },
};

/** Responses with status 503 and 401, without a server. */
const answering =
  (status: number): Client["transport"] =>
  async () => ({
    status,
    headers: new Headers({ "retry-after": "60" }),
    text: async () => '{"error":"Away","code":7,"msg":"away"}',
  });

type Work = (signal: AbortSignal, more: Partial<Client>) => Promise<unknown>;

/** What ends by itself. */
const complete: Readonly<Record<string, Work>> = {
  calls: (signal, more) => echoText({ url: wire, ...more }, { text: "a" }, { signal }),
  streams: async (signal, more) => {
    for await (const _ of watchFeed(
      { url: wire, ...more },
      { feed: "plain", from: 0, count: 3 },
      { signal },
    ));
  },
  pages: async (signal, more) => {
    for await (const _ of pages(titles, { url: lists, ...more }, {}, { signal, ahead: 2 }));
  },
  files: async (signal, more) => {
    const { stream } = await fetchFile({ url: files, ...more }, { name: "a" }, { signal });
    await new Response(stream).arrayBuffer();
  },
  "cancelled files": async (signal, more) => {
    const { stream } = await fetchFile({ url: files, ...more }, { name: "a" }, { signal });
    await stream.cancel();
  },
};

/** What waits until the signal aborts. */
const budget = new NodeBudget({ maxPerSecond: 0.001 });
await budget.take("calls", "eth_call");
const semaphore = new Semaphore(1);
await semaphore.acquire();
const waiting: Readonly<Record<string, Work>> = {
  "calls that wait": (signal, more) => {
    const transport: Client["transport"] = () => new Promise(() => {});
    return echoText({ url: wire, ...more, transport }, { text: "a" }, { signal });
  },
  "streams that wait": async (signal, more) => {
    for await (const _ of watchFeed(
      { url: wire, ...more },
      { feed: "silent", from: 0, count: 3 },
      { signal },
    ));
  },
  retries: (signal) => {
    const client = { url: wire, transport: answering(503), interceptor: retries(3), timeoutMs: 0 };
    return echoText(client as Client, { text: "a" }, { signal });
  },
  renewals: (signal) => {
    const interceptor = reauthenticate(() => new Promise(() => {}));
    return echoText(
      { url: wire, transport: answering(401), interceptor } as Client,
      { text: "a" },
      { signal },
    );
  },
  "deadlines of nodes": (signal) => withDeadline(performance.now() + 60_000, signal, new Promise(() => {})),
  "budgets of nodes": (signal) => budget.take("calls", "eth_call", { signal }),
  semaphores: (signal) => semaphore.acquire(signal),
};

/** Runs 40 at a time with one signal. */
async function run(work: Work, more: Partial<Client>, isWaiting: boolean): Promise<readonly number[]> {
  const controller = new AbortController();
  const { signal } = controller;
  let most = 0;
  const add = signal.addEventListener.bind(signal);
  signal.addEventListener = (...listener: Parameters<typeof add>) => {
    add(...listener);
    most = Math.max(most, getEventListeners(signal, "abort").length);
  };
  const all = Promise.allSettled(Array.from({ length: 40 }, () => work(signal, more)));
  if (isWaiting) {
    await sleep(50);
    controller.abort();
  }
  const results = await all;
  const failed = results.filter(({ status }) => status === "rejected").length;
  // A listener is removed a moment after the result.
  await sleep(20);
  return [failed, most, getEventListeners(signal, "abort").length];
}

const found: Record<string, readonly number[]> = {};
for (const [transport, more] of Object.entries(transports)) {
  for (const [name, work] of Object.entries(complete))
    found[`${name}, ${transport}`] = await run(work, more, false);
  for (const [name, work] of Object.entries(waiting))
    found[`${name}, ${transport}`] = await run(work, more, true);
}
process.stdout.write(JSON.stringify({ found, warnings }), () => process.exit());
