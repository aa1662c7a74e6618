/** Handlers that replay items from memory, over real sockets and with a generated client. */
import { Agent } from "undici";
import { afterAll, describe, expect, test, vi } from "vitest";
import type { Client } from "../../../../generator/runtime/src/client.ts";
import type { HandlerContext } from "../../../../generator/runtime/src/handler.ts";
import { limitedFetch } from "../../../../generator/runtime/src/transport.ts";
import { undiciTransport } from "../../../../generator/runtime/src/undici.ts";
import { watch } from "../../../fixtures/feeds/generated/client.ts";
import { FeedGapError } from "../../../fixtures/feeds/generated/errors.ts";
import {
  createServer,
  type MemoryReplayStoreOptions,
  memoryReplayStore,
  type ReplayStore,
  replay,
} from "../../../fixtures/feeds/generated/server.ts";
import type { News } from "../../../fixtures/feeds/generated/types.ts";
import { adapterNames, serveWith } from "../../../support/adapters.ts";
import { errorOfStream } from "../../../support/stream-error.ts";

const dispatcher = new Agent();
afterAll(() => dispatcher.destroy());

/** A store that counts its readers. */
function counted(options?: MemoryReplayStoreOptions) {
  const items = memoryReplayStore<News>(options);
  const watched = { readers: 0, opened: 0 };
  const store: ReplayStore<News> = {
    ...items,
    onPublish(topic, wake) {
      const stop = items.onPublish(topic, wake);
      watched.readers++;
      watched.opened++;
      return () => {
        watched.readers--;
        stop();
      };
    },
  };
  const publish = (text: string, topic = "x") => items.publish(topic, (id) => ({ id, text }));
  return { store, publish, watched };
}

function serverOf(store: ReplayStore<News>) {
  return createServer({
    Feeds: {
      Watch: (ctx, { feed, after }) =>
        feed === "none" ? ctx.errors.NoSuchFeed() : replay(store, feed, after, ctx),
      Count: async function* () {},
      Beat: async function* () {},
    },
  });
}

const transports: readonly (readonly [string, Partial<Client>])[] = [
  ["fetch", {}],
  ["bounded fetch", { transport: limitedFetch(1_000) }],
  ["undici", { transport: undiciTransport(dispatcher) }],
];

const each = adapterNames.flatMap((adapter) =>
  transports.map(([transport, settings]) => ({ adapter, transport, settings })),
);

describe.each(each)("$adapter and $transport", ({ adapter, settings }) => {
  test("items that are published between a cut and the next connection arrive once", async () => {
    const { store, publish, watched } = counted();
    await using running = await serveWith(adapter, serverOf(store));
    const positions: (string | null)[] = [];
    let cut = (): void => {};
    const breaking: Client["transport"] = async (url, init) => {
      const response = await (settings.transport ?? fetch)(url, init as never);
      positions.push(response.headers.get("stream-position"));
      const stopped = new Promise<never>((_, reject) => {
        cut = () => reject(new Error("cut"));
      });
      stopped.catch(() => {});
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          const { value } = await Promise.race([reader.read(), stopped]);
          if (value !== undefined) controller.enqueue(value);
        },
        cancel: () => reader.cancel(),
      });
      stopped.catch(() => reader.cancel()).catch(() => {});
      return { status: response.status, headers: response.headers, text: () => response.text(), body };
    };
    await publish("before");
    const start = await store.position("x");
    const client: Client = { url: running.url, transport: breaking };
    const stream = watch(client, { feed: "x" }, { reconnect: { firstMs: 0 } });
    const first = stream.next();
    await expect.poll(() => watched.readers).toBe(1);
    // Cut before the first item.
    cut();
    await publish("a");
    expect((await first).value?.text).toBe("a");
    const second = stream.next();
    cut();
    await publish("b");
    await publish("c");
    expect((await second).value?.text).toBe("b");
    expect((await stream.next()).value?.text).toBe("c");
    await stream.return();
    expect(positions[0]).toBe(start);
    await expect.poll(() => watched.readers).toBe(0);
  });
});

test("a position outside the window is an error with its own status, before the stream starts", async () => {
  const { store, publish, watched } = counted({ maxItems: 2 });
  await using running = await serveWith("node-http", serverOf(store));
  const old = (await publish("a")).id;
  for (const text of "bcd") await publish(text);
  const client: Client = { url: running.url };
  const error = await errorOfStream(watch(client, { feed: "x", after: old }));
  expect(error).toBeInstanceOf(FeedGapError);
  expect(error).toMatchObject({ status: 410 });
  expect(await errorOfStream(watch(client, { feed: "x", after: "foreign" }))).toBeInstanceOf(FeedGapError);
  expect(watched.opened).toBe(0);
});

test("an empty position is none", async () => {
  const { store, publish, watched } = counted();
  await using running = await serveWith("node-http", serverOf(store));
  await publish("a");
  const stream = watch({ url: running.url }, { feed: "x", after: "" });
  const next = stream.next();
  await expect.poll(() => watched.readers).toBe(1);
  await publish("b");
  expect((await next).value?.text).toBe("b");
  await stream.return();
});

/** Reads in this process, without a connection. */
async function readerOf(
  store: ReplayStore<News>,
  after?: string,
  resume: string | true = "after,id,FeedGap",
) {
  const controller = new AbortController();
  const headers: [string, unknown][] = [];
  const ctx = {
    method: { service: "Feeds", name: "Watch", path: "", annotations: { resume } },
    requestId: "",
    signal: controller.signal,
    host: undefined,
    errors: { FeedGap: () => new Error("gap") },
    setHeader: (name: string, value: unknown) => void headers.push([name, value]),
  } as unknown as HandlerContext<unknown, "FeedGap">;
  const items = await replay(store, "x", after, ctx);
  if (items instanceof Error) throw items;
  return { items, controller, headers };
}

describe("a reader", () => {
  test("that is slow gets all items while they are in the window, and then the gap", async () => {
    const { store, publish } = counted({ maxItems: 150 });
    const { items } = await readerOf(store);
    const first = items.next();
    const ids = [(await publish("0")).id];
    expect((await first).value?.text).toBe("0");
    for (let index = 1; index <= 150; index++) ids.push((await publish(`${index}`)).id);
    for (let index = 1; index <= 150; index++) expect((await items.next()).value?.id).toBe(ids[index]);
    const next = items.next();
    await publish("151");
    expect((await next).value?.text).toBe("151");
    // One more than the window has, so the next item is lost.
    for (let index = 0; index < 151; index++) await publish("x");
    await expect(items.next()).rejects.toThrow("gap");
    expect(await items.next()).toEqual({ done: true, value: undefined });
  });

  test.each([99, 100, 101, 200, 201])("gets %d items that were published at once", async (count) => {
    const { store, publish } = counted();
    const start = await store.position("x");
    for (let index = 0; index < count; index++) await publish(`${index}`);
    const { items, controller } = await readerOf(store, start);
    for (let index = 0; index < count; index++) expect((await items.next()).value?.text).toBe(`${index}`);
    const last = items.next();
    controller.abort();
    expect((await last).done).toBe(true);
  });

  test("leaves the store when its signal aborts, while it waits and after an item", async () => {
    const { store, publish, watched } = counted();
    const waiting = await readerOf(store);
    const next = waiting.items.next();
    await expect.poll(() => watched.readers).toBe(1);
    waiting.controller.abort();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(watched.readers).toBe(0);
    const paused = await readerOf(store);
    const item = paused.items.next();
    await expect.poll(() => watched.readers).toBe(1);
    await publish("a");
    expect((await item).value?.text).toBe("a");
    await paused.items.return(undefined);
    expect(watched.readers).toBe(0);
  });

  test("takes no items in advance of a hundred", async () => {
    const { store, publish } = counted();
    const asked: number[] = [];
    const watchedStore: ReplayStore<News> = {
      ...store,
      itemsAfter: (topic, position, max) => {
        asked.push(max);
        return store.itemsAfter(topic, position, max);
      },
    };
    const start = await store.position("x");
    for (let index = 0; index < 300; index++) await publish(`${index}`);
    const { items } = await readerOf(watchedStore, start);
    for (let index = 0; index < 100; index++) await items.next();
    expect(asked).toEqual([1, 100]);
  });

  test("misses no item that is published while the store is read", async () => {
    const { store, publish } = counted();
    const slow: ReplayStore<News> = {
      ...store,
      itemsAfter: async (...args) => {
        const found = await store.itemsAfter(...args);
        if (found.length === 0) await publish("meanwhile");
        return found;
      },
    };
    const { items } = await readerOf(slow);
    expect((await items.next()).value?.text).toBe("meanwhile");
  });

  test.each([
    ["recovers within thirty seconds", 30_000, true],
    ["fails for longer", 30_001, false],
  ])("keeps its stream while the store %s", async (_name, failsMs, survives) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    try {
      const { store, publish } = counted();
      let failsUntil = 0;
      const failing = <Value>(read: () => Value): Value => {
        if (performance.now() < failsUntil) throw new Error("the database restarts");
        return read();
      };
      const flaky: ReplayStore<News> = {
        ...store,
        position: (topic) => failing(() => store.position(topic)),
        itemsAfter: (...args) => failing(() => store.itemsAfter(...args)),
      };
      const outage = (): void => {
        failsUntil = performance.now() + failsMs;
      };
      outage();
      const opening = readerOf(flaky).catch((error: Error) => error);
      await vi.advanceTimersByTimeAsync(40_000);
      const failure = new Error("the database restarts");
      expect(await opening).toEqual(
        survives ? expect.objectContaining({ items: expect.anything() }) : failure,
      );
      const { items } = await readerOf(flaky);
      outage();
      await publish("a");
      const next = items.next().catch((error: Error) => error);
      await publish("b");
      await vi.advanceTimersByTimeAsync(40_000);
      if (survives) expect(await next).toMatchObject({ value: { text: "a" } });
      else expect(await next).toEqual(failure);
    } finally {
      vi.useRealTimers();
    }
  });

  test("gets an error at the first item without its id", async () => {
    const { store } = counted();
    const { items } = await readerOf(store);
    const next = items.next();
    await store.publish("x", () => ({ id: "mine", text: "a" }));
    await expect(next).rejects.toThrow("an item must contain the id that publish passed");
  });

  test("of one topic gets no items of another", async () => {
    const { store, publish } = counted();
    const { items } = await readerOf(store);
    const next = items.next();
    await publish("other", "y");
    await publish("own");
    expect((await next).value?.text).toBe("own");
  });

  test("shares the window with all others", async () => {
    const { store, publish } = counted();
    const readers = await Promise.all(Array.from({ length: 50 }, () => readerOf(store)));
    const nexts = readers.map(({ items }) => items.next());
    const item = await publish("a");
    for (const next of nexts) expect((await next).value).toBe(item);
  });
});

test.each([true as const, "after,id", "after,id,Unknown", "after,id,toString"])(
  "a method with @resume:%j cannot replay",
  async (resume) => {
    const { store } = counted();
    await expect(readerOf(store, undefined, resume)).rejects.toThrow(
      'Feeds/Watch: replay needs @resume:"after,id,Gap"',
    );
  },
);

test("a stop of the server ends the stream, and the client continues on another host", async () => {
  const { store, publish, watched } = counted();
  const first = serverOf(store);
  const servers = [await serveWith("node-http", first), await serveWith("node-http", serverOf(store))];
  let calls = 0;
  const client: Client = {
    url: "http://feeds.example",
    transport: (url, init) =>
      fetch(url.replace("http://feeds.example", servers[calls++ ? 1 : 0]?.url ?? ""), init),
  };
  const stream = watch(client, { feed: "x" }, { reconnect: { firstMs: 0 } });
  const next = stream.next();
  await expect.poll(() => watched.readers).toBe(1);
  await first.drain();
  await publish("a");
  expect((await next).value?.text).toBe("a");
  expect(calls).toBeGreaterThan(1);
  await stream.return();
  for (const server of servers) await server[Symbol.asyncDispose]();
});
