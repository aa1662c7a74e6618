/** Streams over real sockets: every adapter of the server with every transport of the client. */
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent } from "undici";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { Client } from "../../../generator/runtime/src/client.ts";
import { subscribe } from "../../../generator/runtime/src/client-streams.ts";
import type { RpcError } from "../../../generator/runtime/src/errors.ts";
import type { CallLog, ServerOptions } from "../../../generator/runtime/src/options.ts";
import type { RpcServer } from "../../../generator/runtime/src/server.ts";
import { limitedFetch } from "../../../generator/runtime/src/transport.ts";
import { undiciTransport } from "../../../generator/runtime/src/undici.ts";
import { beat, tail, watch as watchFeed } from "../../fixtures/wire/generated/client.ts";
import { BrokenError, NoSuchFeedError } from "../../fixtures/wire/generated/errors.ts";
import { createServer } from "../../fixtures/wire/generated/server.ts";
import type { Tick } from "../../fixtures/wire/generated/types.ts";
import { adapterNames, type RunningServer, serveWith } from "../../support/adapters.ts";
import { amountOf, type Watched, watched, wireHandlers } from "../../support/feed.ts";
import { errorOfStream } from "../../support/stream-error.ts";

const dispatcher = new Agent();
afterAll(() => dispatcher.destroy());

const transports: readonly (readonly [string, Partial<Client>])[] = [
  ["fetch", {}],
  ["bounded fetch", { transport: limitedFetch(1_000) }],
  ["undici", { transport: undiciTransport(dispatcher) }],
];

let watch: Watched;
beforeEach(() => {
  watch = watched();
});

interface Feed extends AsyncDisposable {
  readonly running: RunningServer;
  readonly server: RpcServer;
  readonly logs: readonly CallLog[];
}

async function serve(
  adapter: (typeof adapterNames)[number],
  options: Pick<ServerOptions, "limits" | "streams" | "unexpectedErrors"> = {},
): Promise<Feed> {
  const logs: CallLog[] = [];
  const onResponse = (log: CallLog): void => void logs.push(log);
  const server = createServer(wireHandlers(watch), { checkResponses: true, onResponse, ...options });
  const running = await serveWith(adapter, server);
  return { running, server, logs, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
}

const each = adapterNames.flatMap((adapter) =>
  transports.map(([transport, settings]) => ({ adapter, transport, settings })),
);

describe.each(each)("$adapter and $transport", ({ adapter, settings }) => {
  test("items arrive one by one, including bigints, and the stream ends", async () => {
    await using feed = await serve(adapter);
    const states: string[] = [];
    const stream = watchFeed(
      { url: feed.running.url, ...settings },
      { feed: "plain", from: 5, count: 300 },
      { onState: ({ kind }) => states.push(kind) },
    );
    const items: Tick[] = [];
    for await (const item of stream) items.push(item);
    expect(items.length).toBe(300);
    expect(items[299]).toEqual({
      sequence: 304,
      amount: amountOf(304),
      at: "2024-02-29T12:00:00.123456789Z",
    });
    expect(states).toEqual(["connecting", "open", "closed"]);
    await expect.poll(() => feed.logs.length).toBe(1);
    expect(feed.logs[0]).toMatchObject({ status: 200, error: undefined, method: { name: "Watch" } });
  });

  test("items of a megabyte, and items without fields", async () => {
    await using feed = await serve(adapter);
    const client = { url: feed.running.url, ...settings };
    const lengths: number[] = [];
    for await (const { line } of tail(client, { lines: 3 })) lengths.push(line.length);
    expect(lengths).toEqual([1_000_000, 1_000_000, 1_000_000]);
    const beats: unknown[] = [];
    for await (const item of beat(client)) beats.push(item);
    expect(beats).toEqual([{}, {}]);
  });

  test("an error within a stream has its class and follows the earlier items", async () => {
    await using feed = await serve(adapter);
    expect(await readUntilError("none", feed)).toMatchObject({
      items: 0,
      error: { code: 100, msg: "no such feed", cause: "try another", status: 404 },
    });
    const broken = await readUntilError("broken", feed);
    expect(broken).toMatchObject({ items: 2, error: { code: 101, status: 502 } });
    expect(broken.error).toBeInstanceOf(BrokenError);
    expect((await readUntilError("none", feed)).error).toBeInstanceOf(NoSuchFeedError);
  });

  test("an undeclared error within a stream is not sent", async () => {
    await using feed = await serve(adapter);
    const { items, error } = await readUntilError("throwing", feed);
    expect(items).toBe(2);
    expect(error).toMatchObject({ code: -7, status: 500, cause: undefined });
    await expect.poll(() => feed.logs.length).toBe(1);
    expect(feed.logs[0]).toMatchObject({ status: 200, error: { code: -7 }, cause: expect.any(Error) });
    expect(watch.freed).toBe(1);
  });

  test("an undeclared error within a stream is WebrpcEndpoint if configured", async () => {
    await using feed = await serve(adapter, { unexpectedErrors: "endpoint" });
    const { items, error } = await readUntilError("throwing", feed);
    expect(items).toBe(2);
    expect(error).toMatchObject({ code: 0, status: 400, cause: undefined });
  });

  test("an invalid item ends the stream", async () => {
    await using feed = await serve(adapter);
    expect(await readUntilError("bad", feed)).toMatchObject({ items: 1, error: { code: -5 } });
    await expect.poll(() => watch.freed).toBe(1);
  });

  test("a slow reader suspends the handler", async () => {
    await using feed = await serve(adapter);
    const lines = 100;
    const stream = tail({ url: feed.running.url, ...settings }, { lines });
    await stream.next();
    await settled(() => watch.made);
    const made = watch.made;
    // Sockets and streams of both sides buffer some megabytes. Without back-pressure, the handler would make all items.
    expect(made).toBeLessThan(lines / 2);
    for (let read = 1; read <= made; read++) expect((await stream.next()).value?.line.length).toBe(1_000_000);
    await expect.poll(() => watch.made).toBeGreaterThan(made);
    await stream.return();
  });

  test("leaving the loop aborts the signal, then closes the iterator, without waiting for an item", async () => {
    await using feed = await serve(adapter);
    // The handler pauses for a minute before the next item.
    for await (const { sequence } of watchFeed(
      { url: feed.running.url, ...settings },
      { feed: "pausing", from: 0, count: 0 },
    )) {
      if (sequence === 3) break;
    }
    await expect.poll(() => feed.logs.length).toBe(1);
    expect(watch.events).toEqual(["aborted", "freed"]);
    expect(feed.logs[0]).toMatchObject({ status: 499, error: { code: -8 } });
  });

  test("leaving before the first item cleans up", async () => {
    await using feed = await serve(adapter);
    const stream = watchFeed({ url: feed.running.url, ...settings }, { feed: "silent", from: 0, count: 1 });
    const first = stream.next();
    await expect.poll(() => watch.begun).toBe(1);
    await stream.return();
    expect(await first).toEqual({ done: true, value: undefined });
    await expect.poll(() => watch.freed).toBe(1);
    expect(watch.events).toEqual(["aborted", "freed"]);
  });

  test("an aborted signal has its own error", async () => {
    await using feed = await serve(adapter);
    const controller = new AbortController();
    const { signal } = controller;
    const stream = watchFeed(
      { url: feed.running.url, ...settings },
      { feed: "silent", from: 0, count: 1 },
      { signal },
    );
    const first = stream.next().catch((error: RpcError) => error);
    await expect.poll(() => watch.begun).toBe(1);
    controller.abort("enough");
    expect(await first).toMatchObject({ code: -8, cause: "enough" });
    expect(stream.state).toMatchObject({ kind: "closed", error: { code: -8 } });
    await expect.poll(() => watch.freed).toBe(1);
  });

  test("a silent stream counts as lost", async () => {
    await using feed = await serve(adapter);
    const stream = watchFeed(
      { url: feed.running.url, ...settings },
      { feed: "silent", from: 0, count: 1 },
      { silenceMs: 300, reconnect: false },
    );
    await expect(stream.next()).rejects.toMatchObject({
      code: -9,
      name: "WebrpcStreamLost",
      side: "request",
      retryable: true,
      cause: "no data for 300 ms",
    });
    await expect.poll(() => watch.freed).toBe(1);
  });

  test("heartbeats keep it open", async () => {
    await using feed = await serve(adapter, { streams: { pingMs: 20 } });
    const stream = watchFeed(
      { url: feed.running.url, ...settings },
      { feed: "silent", from: 0, count: 1 },
      { silenceMs: 900, reconnect: false },
    );
    const first = stream.next().catch((error: RpcError) => error);
    expect(await Promise.race([first, sleep(1_000, "open")])).toBe("open");
    await stream.return();
  });

  test("a stopping server ends its streams as lost and rejects new ones", async () => {
    await using feed = await serve(adapter);
    const client = { url: feed.running.url, ...settings };
    const stream = watchFeed(client, { feed: "paced", from: 0, count: 0 }, { reconnect: false });
    await stream.next();
    const lost = errorOfStream(stream);
    await feed.server.drain();
    expect(watch.freed).toBe(1);
    expect(await lost).toMatchObject({ code: -9, cause: "the server is stopping" });
    const refused = errorOfStream(watchFeed(client, { feed: "paced", from: 0, count: 0 }));
    expect(await refused).toMatchObject({ code: -9, status: 400 });
  });

  test("a stream that reached its maximum duration continues after its last item", async () => {
    await using feed = await serve(adapter, { streams: { maxMs: 60 } });
    const states: string[] = [];
    const seen: number[] = [];
    const stream = watchFeed(
      { url: feed.running.url, ...settings },
      { feed: "paced", from: 0, count: 0 },
      {
        reconnect: { firstMs: 1 },
        resume: (req, last) => ({ ...req, from: (last?.sequence ?? -1) + 1 }),
        onState: ({ kind }) => states.push(kind),
      },
    );
    for await (const { sequence } of stream) {
      seen.push(sequence);
      if (states.filter((state) => state === "open").length === 3) break;
    }
    expect(seen).toEqual(seen.map((_, index) => index));
    expect(states.slice(0, 5)).toEqual(["connecting", "open", "waiting", "connecting", "open"]);
    expect(stream.state.kind).toBe("closed");
  });

  test("a rejected request is not retried", async () => {
    await using feed = await serve(adapter);
    const client = { url: feed.running.url, ...settings };
    const states: string[] = [];
    const stream = watchFeed(
      client,
      { feed: 1 as never, from: 0, count: 0 },
      {
        onState: ({ kind }) => states.push(kind),
      },
    );
    await expect(stream.next()).rejects.toMatchObject({ code: -4, status: 400 });
    expect(states).toEqual(["connecting", "closed"]);
    await expect(
      watchFeed({ ...client, url: "http://127.0.0.1:1" }, { feed: "", from: 0, count: 0 }).next(),
    ).rejects.toMatchObject({ code: -1 });
  });

  test("callbacks receive the same", async () => {
    await using feed = await serve(adapter);
    const client = { url: feed.running.url, ...settings };
    const heard: unknown[] = [];
    const listen = (name: string, count: number): Promise<void> =>
      subscribe((options) => watchFeed(client, { feed: name, from: 0, count }, options), {
        onOpen: () => heard.push("open"),
        onMessage: ({ sequence }) => heard.push(sequence),
        onError: ({ code }) => heard.push(`error ${code}`),
        onClose: () => heard.push("close"),
      }).closed;
    await listen("plain", 2);
    await listen("broken", 5);
    expect(heard).toEqual(["open", 0, 1, "close", "open", 0, 1, "error 101"]);
  });

  async function readUntilError(name: string, { running }: Feed): Promise<{ items: number; error: unknown }> {
    let items = 0;
    try {
      for await (const _ of watchFeed({ url: running.url, ...settings }, { feed: name, from: 0, count: 5 })) {
        items++;
      }
    } catch (error) {
      return { items, error };
    }
    throw new Error(`${name} did not fail`);
  }
});

describe.each(adapterNames)("the wire of %s", (adapter) => {
  test("is webrpc's: headers, line breaks as heartbeats, one line per item", async () => {
    await using feed = await serve(adapter, { streams: { pingMs: 25 } });
    const response = await ask(feed, { feed: "silent", from: 0, count: 1 });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/x-ndjson",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      webrpc: expect.stringContaining("wire@v1.2.3"),
    });
    const reader = response.body?.getReader();
    for (let ping = 0; ping < 3; ping++) {
      expect(new TextDecoder().decode((await reader?.read())?.value)).toMatch(/^\n+$/);
    }
    await reader?.cancel();
    const text = await (await ask(feed, { feed: "broken", from: 0, count: 9 })).text();
    const lines = text.split("\n").filter((line) => line !== "");
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { sequence: 0, amount: "18446744073709551616", at: "2024-02-29T12:00:00.123456789Z" },
      { sequence: 1, amount: "18446744073709551617", at: "2024-02-29T12:00:00.123456789Z" },
      { webrpcError: { error: "Broken", code: 101, msg: "the feed broke", status: 502 } },
    ]);
    expect(text.startsWith("\n")).toBe(true);
  });

  test("a caller that never reads is cut off, and the handler is closed", async () => {
    await using feed = await serve(adapter, { limits: { unreadMaxMs: 150 } });
    const socket = connect(feed.running.port, "127.0.0.1");
    socket.pause();
    const body = JSON.stringify({ feed: "endless", from: 0, count: 0 });
    socket.write(
      `POST /api/v2/Wire/Watch HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await expect.poll(() => feed.logs.length).toBe(1);
    // Buffers hold some megabytes of items with 90 bytes each. A handler without back-pressure creates millions.
    expect(watch.made).toBeLessThan(300_000);
    expect(watch.events).toEqual(["aborted", "freed"]);
    expect(feed.logs[0]).toMatchObject({ status: 499, error: { code: -8 } });
    const closed = once(socket, "close");
    socket.resume();
    await closed;
  });

  test("a half-closed connection does not keep the handler running", async () => {
    await using feed = await serve(adapter);
    const socket = connect(feed.running.port, "127.0.0.1");
    const body = JSON.stringify({ feed: "paced", from: 0, count: 0 });
    socket.end(
      `POST /api/v2/Wire/Watch HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    socket.resume();
    await once(socket, "close");
    await expect.poll(() => watch.freed).toBe(watch.begun);
  });

  function ask({ running }: Feed, body: object): Promise<Response> {
    return fetch(`${running.url}/api/v2/Wire/Watch`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  }
});

/** Waits until a number stops growing. */
async function settled(figure: () => number): Promise<void> {
  for (let before = -1; before !== figure(); ) {
    before = figure();
    await sleep(100);
  }
}
