import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Client } from "../../../generator/runtime/src/client.ts";
import { fetchHandler } from "../../../generator/runtime/src/fetch.ts";
import type { CallRecord } from "../../../generator/runtime/src/options.ts";
import { memoryTransport } from "../../../generator/runtime/src/transport.ts";
import { watch as watchFeed } from "../../fixtures/wire/generated/client.ts";
import { createServer } from "../../fixtures/wire/generated/server.ts";
import { type Watched, watched, wireHandlers } from "../../support/feed.ts";
import { errorOfStream } from "../../support/stream-error.ts";
import { stubTransport } from "../../support/stub-transport.ts";

let watch: Watched;
beforeEach(() => {
  watch = watched();
});

describe("without a network", () => {
  test("the memory transport streams", async () => {
    const handle = fetchHandler(createServer(wireHandlers(watch)));
    const transport = memoryTransport(handle);
    const client = { url: "http://memory", transport };
    const seen: number[] = [];
    for await (const { sequence } of watchFeed(client, { feed: "plain", from: 0, count: 3 }))
      seen.push(sequence);
    expect(seen).toEqual([0, 1, 2]);
    for await (const _ of watchFeed(client, { feed: "endless", from: 0, count: 0 })) break;
    expect(watch.freed).toBe(2);
  });

  test.each([
    ["no JSON", "{]\n", -5],
    ["a list", "[]\n", -5],
    ["no bigint where one stands", '{"sequence":1,"amount":"x"}\n', -5],
    ["an error without a code", '{"webrpcError":{"msg":"?"}}\n', -5],
    ["an end within an item", '{"sequence":1', -9],
    ["an item without end", "x".repeat(2_000), -5],
  ])("%s", async (_name, body, code) => {
    const transport = stubTransport(async () => ({ status: 200, body: new Response(body).body ?? "" }));
    const stream = watchFeed(
      { url: "http://memory", transport },
      { feed: "", from: 0, count: 0 },
      { itemMaxLength: 1_000, reconnect: false },
    );
    expect(await errorOfStream(stream)).toMatchObject({ code });
  });

  test("a transport without streaming support is reported", async () => {
    const transport = stubTransport(async () => ({ status: 200, body: "{}" }));
    const stream = watchFeed({ url: "http://memory", transport }, { feed: "", from: 0, count: 0 });
    expect(await errorOfStream(stream)).toMatchObject({
      code: -5,
      cause: "the response has no body, or the transport does not support streaming",
    });
  });

  test("reconnects are limited and numbered", async () => {
    let calls = 0;
    const transport = stubTransport(async () => {
      if (calls++ > 0) return { status: 503, body: '{"error":"Away","code":7,"msg":"away"}' };
      return { status: 200, body: new Response("{").body ?? "" };
    });
    const attempts: number[] = [];
    const stream = watchFeed(
      { url: "http://memory", transport },
      { feed: "", from: 0, count: 0 },
      {
        reconnect: { tries: 3, firstMs: 1 },
        onState: (state) => state.kind === "waiting" && attempts.push(state.attempt),
      },
    );
    expect(await errorOfStream(stream)).toMatchObject({ code: 7, status: 503 });
    expect(attempts).toEqual([0, 1, 2]);
    expect(calls).toBe(4);
  });

  // Servers and proxies end quiet streams after a while.
  test.each([
    [9_999, [0, 1, 2]],
    [10_000, [0, 0, 0, 0, 0]],
  ])("connections without items that were open for %d ms count as attempts %j", async (openMs, expected) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    try {
      const transport = stubTransport(async () => {
        const body = new ReadableStream({
          start: (controller) => void setTimeout(() => controller.error(new Error("cut")), openMs),
        });
        return { status: 200, body };
      });
      const attempts: number[] = [];
      const stream = watchFeed(
        { url: "http://memory", transport },
        { feed: "", from: 0, count: 0 },
        {
          reconnect: { tries: 3, firstMs: 0 },
          onState: (state) => state.kind === "waiting" && attempts.push(state.attempt),
        },
      );
      const end = stream.next().catch(() => {});
      await vi.advanceTimersByTimeAsync(5 * openMs + 4_000);
      expect(attempts).toEqual(expected);
      await stream.return();
      await end;
    } finally {
      vi.useRealTimers();
    }
  });

  test.each([
    [19, 19],
    [20, 20],
    [21, 20],
  ])("of %i items, the first %i are recorded", async (count, recorded) => {
    const records: (readonly string[] | undefined)[] = [];
    const recorder = { record: ({ items }: CallRecord) => void records.push(items) };
    const handle = fetchHandler(createServer(wireHandlers(watch), { recorder }));
    const client = { url: "http://memory", transport: memoryTransport(handle) };
    const seen: string[] = [];
    for await (const { sequence } of watchFeed(client, { feed: "plain", from: 0, count }))
      seen.push(`${sequence}`);
    expect(seen).toHaveLength(count);
    expect(records.map((items) => items?.map((item) => `${JSON.parse(item).sequence}`))).toEqual([
      seen.slice(0, recorded),
    ]);
  });

  test("an interceptor wraps each connection", async () => {
    const handle = fetchHandler(createServer(wireHandlers(watch)));
    const tokens: (string | null)[] = [];
    const client: Client = {
      url: "http://memory",
      transport: memoryTransport((request) => {
        tokens.push(request.headers.get("authorization"));
        return handle(request);
      }),
      interceptor: (call, next) => next({ ...call, headers: { authorization: call.method.name } }),
    };
    for await (const _ of watchFeed(client, { feed: "plain", from: 0, count: 1 }));
    expect(tokens).toEqual(["Watch"]);
  });
});
