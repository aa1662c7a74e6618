/** Every option of the runtime that is a number: undefined keeps its default, and other values are errors that name it. */
import { describe, expect, test } from "vitest";
import { fetchHandler } from "../../../generator/runtime/src/fetch.ts";
import { memoryIdempotencyStore } from "../../../generator/runtime/src/idempotency.ts";
import { Recorder } from "../../../generator/runtime/src/recorder.ts";
import { memoryReplayStore } from "../../../generator/runtime/src/server-streams.ts";
import { streamOptions } from "../../../generator/runtime/src/tanstack-query.ts";
import { undiciTransport } from "../../../generator/runtime/src/undici.ts";
import { createServer as createFilesOnDisk } from "../../fixtures/files/generated/server.ts";
import { createServer as createFilesInMemory } from "../../fixtures/files/generated-in-memory/server.ts";
import { createServer as createShop } from "../../fixtures/shop/generated/server.ts";
import { echoText, watch } from "../../fixtures/wire/generated/client.ts";
import { recorded } from "./mcp/recorded.ts";
import { shopHandlers } from "./shop.ts";

/** As in JavaScript, where an option may be any value. */
type Given = Readonly<Record<string, unknown>>;

const methods = ["Store", "StoreMany", "Submit", "Attach", "Fetch", "Export", "Read", "Turn"];
const Depot = Object.fromEntries(methods.map((name) => [name, () => {}]));
const server = (options: Given) => createShop(shopHandlers, options as never);
const client = { url: "", transport: async () => new Response("{}") };
const stream = (options: Given) => watch(client, {} as never, options as never);
const agents = (options: Given) => recorded(() => new Response("{}"), options);

/** Uses the option of this name. */
const uses: Readonly<Record<string, (given: Given) => unknown>> = {
  "limits.bodyMaxBytes": (limits) => server({ limits }),
  "limits.jsonMaxDepth": (limits) => server({ limits }),
  "limits.unreadMaxBytes": (limits) => server({ limits }),
  "limits.unreadMaxBytesPerAddress": (limits) => server({ limits }),
  "limits.unreadMaxMs": (limits) => server({ limits }),
  "uploads.fileMaxBytes": (uploads) => createFilesInMemory({ Depot } as never, { uploads } as never),
  "uploads.filesMax": (uploads) => createFilesOnDisk({ Depot } as never, { uploads } as never),
  "streams.pingMs": (streams) => server({ streams }),
  "streams.maxMs": (streams) => server({ streams }),
  "deadline.ms": (deadline) => server({ deadline: { ...deadline, error: () => {} } }),
  "idempotency.responseMaxBytes": (idempotency) =>
    server({ idempotency: { ...idempotency, scope: () => "" } }),
  keptMs: (options) => memoryIdempotencyStore(options),
  maxPerScope: (options) => memoryIdempotencyStore(options),
  maxItems: (options) => memoryReplayStore(options),
  maxAgeMs: (options) => memoryReplayStore(options),
  maxTopics: (options) => memoryReplayStore(options),
  "maxItems of a query": (options) => streamOptions(watch, client, {} as never, options as never),
  "maxBytes of a recorder": (options) => new Recorder("unused", {} as never, options),
  maxResponseBytes: (options) => undiciTransport({} as never, options),
  timeoutMs: (options) => echoText(client, { text: "" }, options),
  silenceMs: stream,
  itemMaxLength: stream,
  tries: (reconnect) => stream({ reconnect }),
  firstMs: (reconnect) => stream({ reconnect }),
  mostMs: (reconnect) => stream({ reconnect }),
  "maxBytes of a server for agents": agents,
  "maxItems of a server for agents": agents,
  "fileMaxBytes of a server for agents": agents,
  "streamMs of a server for agents": agents,
  "timeoutMs of a server for agents": agents,
};

describe.each(Object.entries(uses))("%s", (title, use) => {
  const name = title.split(" ")[0] as string;
  const key = name.split(".").at(-1) as string;
  const given = async (value: unknown) => use({ [key]: value });

  test.each([Number.NaN, -1, "abc", "5", true, {}, 5n])("%s is a RangeError", async (value) => {
    const failure = await given(value).catch((thrown: unknown) => thrown);
    expect(failure).toBeInstanceOf(RangeError);
    expect((failure as RangeError).message).toContain(`${name}: expected `);
  });

  test("undefined is its default", async () => {
    expect(await given(undefined).catch((thrown: unknown) => thrown)).not.toBeInstanceOf(RangeError);
  });
});

describe("undefined keeps", () => {
  const undefinedLimits = { bodyMaxBytes: undefined, jsonMaxDepth: undefined };
  async function ask(body: string): Promise<number> {
    const handle = fetchHandler(server({ limits: undefinedLimits }) as never);
    const headers = { "Content-Type": "application/json" };
    const request = new Request("http://a/v2/rpc/Shop/GetItem", { method: "POST", headers, body });
    return (await handle(request)).status;
  }
  const sized = (bytes: number): string => '{"id":1}'.padEnd(bytes);
  const nested = (depth: number): string => `{"id":1,"x":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;

  test("the largest body", async () => {
    const mib = 1024 * 1024;
    expect([await ask(sized(mib - 1)), await ask(sized(mib)), await ask(sized(mib + 1))]).toEqual([
      200, 200, 413,
    ]);
  });

  test("the deepest nesting", async () => {
    expect([await ask(nested(63)), await ask(nested(64)), await ask(nested(65))]).toEqual([200, 200, 400]);
  });

  test.each([
    ["on disk", createFilesOnDisk, 64],
    ["in memory", createFilesInMemory, 8],
  ])("the largest file %s", async (_where, create, mib) => {
    const uploads = { fileMaxBytes: undefined, filesMax: undefined };
    const handlers = { ...Depot, Read: () => ({ size: 0 }), Turn: () => ({ body: "" }) };
    const handle = fetchHandler(create({ Depot: handlers } as never, { uploads } as never) as never);
    const status = async (bytes: number): Promise<number> => {
      const body = new FormData();
      body.set("source", new File([new Uint8Array(bytes)], "a"));
      return (await handle(new Request("http://a/rpc/Depot/Turn", { method: "POST", body }))).status;
    };
    expect(await status(mib * 1024 * 1024 + 1)).toBe(413);
    expect(await status(mib * 1024 * 1024)).not.toBe(413);
  });

  test("the size of what agents get", async () => {
    const text = JSON.stringify({ order: { id: 1, names: { a: "x".repeat(100_000) } } });
    const tools = recorded(() => new Response(text), { maxBytes: undefined } as never);
    const answer = JSON.stringify(await tools.call("Orders.GetOrder", { id: 1 }));
    expect(answer.length).toBeLessThan(30_000);
  });
});
