/** Data of errors: from handlers and hooks to callers, in every kind of method. */
import { describe, expect, test } from "vitest";
import type { Client } from "../../../generator/runtime/src/client.ts";
import { fetchHandler } from "../../../generator/runtime/src/fetch.ts";
import type { CallLog } from "../../../generator/runtime/src/options.ts";
import { memoryTransport } from "../../../generator/runtime/src/transport.ts";
import {
  any,
  download,
  get,
  match,
  RpcError,
  result,
  upload,
  watch,
} from "../../fixtures/quota/generated/client.ts";
import { MovedError, QuotaExceededError } from "../../fixtures/quota/generated/errors.ts";
import {
  createServer,
  type Handlers,
  rpcError,
  type SchemaErrorName,
} from "../../fixtures/quota/generated/server.ts";
import { errorOfStream } from "../../support/stream-error.ts";
import { stubTransport } from "../../support/stub-transport.ts";

const limit = 2n ** 63n + 1n;
const resetsAt = new Date("2026-02-03T04:05:06.789Z");
const quota = { limit, resetsAt, recent: ["a"], reason: "full" };
const plainName: SchemaErrorName = "QuotaExceeded";

const store: Handlers["Store"] = {
  Get: (ctx, { id }) => {
    if (id === "moved") throw ctx.errors.Moved({ url: "/b" }, { cause: "it moved", expose: true });
    if (id === "gone") return ctx.errors.Gone({ cause: "deleted", expose: true });
    // @ts-expect-error The data is required.
    if (id === "no data") return ctx.errors.QuotaExceeded();
    // @ts-expect-error The data has a type.
    if (id === "invalid") return ctx.errors.QuotaExceeded({ ...quota, limit: "7" });
    if (id === "too long") return ctx.errors.QuotaExceeded({ ...quota, reason: "too full" });
    return id === "more" ? ctx.errors.QuotaExceeded({ ...quota, ...{ inner: 1 } }) : { text: id };
  },
  async *Watch(ctx, { id }) {
    yield { text: "first" };
    if (id === "end") return ctx.errors.QuotaExceeded(quota);
    throw rpcError.Moved({ url: id });
  },
  Upload: (ctx) => ctx.errors.QuotaExceeded(quota),
  Download: (ctx) => ctx.errors.QuotaExceeded(quota),
  Any: () => {
    throw rpcError.QuotaExceeded(quota);
  },
};

const logs: CallLog[] = [];

function clientOf(options: Parameters<typeof createServer>[1] = {}): Client {
  const handle = fetchHandler(
    createServer({ Store: store }, { ...options, onResponse: (log) => logs.push(log) }),
  );
  return { url: "http://memory", transport: memoryTransport(handle) };
}

async function bodyOf(id: string, options: Parameters<typeof createServer>[1] = {}): Promise<string> {
  const handle = fetchHandler(createServer({ Store: store }, options));
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: `{"id":"${id}"}` };
  return (await handle(new Request("http://memory/rpc/Store/Get", init))).text();
}

describe("data of errors", () => {
  test("is written with its declared fields, next to the cause", async () => {
    expect(await bodyOf("more")).toBe(
      '{"error":"QuotaExceeded","code":100,"msg":"quota exceeded","status":429,"data":{"limit":9223372036854775809,"resetsAt":"2026-02-03T04:05:06.789Z","recent":["a"],"reason":"full"}}',
    );
    expect(JSON.parse(await bodyOf("moved"))).toEqual({
      ...{ error: "Moved", code: 101, msg: "moved", cause: "it moved", status: 409 },
      data: { url: "/b" },
    });
    expect(JSON.parse(await bodyOf("gone"))).not.toHaveProperty("data");
    // Callers without types.
    expect(JSON.parse(await bodyOf("no data"))).toMatchObject({ error: "QuotaExceeded" });
  });

  test("reaches callers with dates and bigints", async () => {
    const client = clientOf();
    const outcome = await result(get(client, { id: "more" }));
    expect(
      match(outcome, {
        ok: () => undefined,
        QuotaExceeded: ({ data }) => [data?.limit.toString(), data?.resetsAt.getTime()],
        Moved: ({ data }) => data?.url,
        _: () => undefined,
      }),
    ).toEqual([limit.toString(), resetsAt.getTime()]);
    const thrown: unknown = await get(client, { id: "moved" }).catch((error: unknown) => error);
    if (!(thrown instanceof MovedError)) throw thrown;
    const url: string | undefined = thrown.data?.url;
    expect([url, thrown.cause]).toEqual(["/b", "it moved"]);
    // @ts-expect-error Another error has other data.
    expect(thrown.data?.limit).toBeUndefined();
  });

  test.each([
    ["an upload", () => upload(clientOf(), { id: "x", picture: new Blob(["p"]) })],
    ["a download", () => download(clientOf(), { id: "x" })],
    ["a method that may raise any error", () => any(clientOf(), { id: "x" })],
  ])("is in the error of %s", async (_name, call) => {
    const { error } = await result<unknown, RpcError>(call());
    expect(error?.data).toEqual(quota);
  });

  test("is in the errors of streams and of hooks", async () => {
    const open = (id: string) => watch(clientOf(), { id });
    expect(await errorOfStream(open("end"))).toMatchObject({ data: quota });
    expect(await errorOfStream(open("/c"))).toMatchObject({ name: "Moved", data: { url: "/c" } });
    const guarded = clientOf({ guards: [({ errors }) => errors.QuotaExceeded(quota)] });
    expect((await result(get(guarded, { id: "x" }))).error?.data).toEqual(quota);
    const mapped = clientOf({ mapError: () => rpcError.Moved({ url: "/d" }) });
    expect((await result(any(mapped, { id: "x" }))).error?.data).toEqual(quota);
  });

  test("that is invalid is a bad response", async () => {
    logs.length = 0;
    expect(JSON.parse(await bodyOf("invalid", { checkResponses: true }))).toMatchObject({ code: -5 });
    const { error } = await result(get(clientOf({ checkResponses: true }), { id: "too long" }));
    expect(error).toMatchObject({ name: "WebrpcBadResponse" });
    expect(logs[0]?.cause).toBe(
      'the data of QuotaExceeded: /reason: expected text of at most 5 characters, found "too full"',
    );
    expect((await result(get(clientOf(), { id: "too long" }))).error?.data).toMatchObject({ limit });
  });

  test.each([
    ["absent", ""],
    ["null", ',"data":null'],
    ["not an object", ',"data":[]'],
    ["not of its type", ',"data":{"limit":1,"resetsAt":"soon","recent":null,"reason":""}'],
  ])("is undefined if it is %s", async (_name, data) => {
    const body = `{"error":"QuotaExceeded","code":100,"msg":"m","status":429${data}}`;
    const transport = stubTransport(async () => ({ status: 429, body }));
    const { error } = await result(get({ url: "http://memory", transport }, { id: "x" }));
    expect(error).toMatchObject({ name: "QuotaExceeded", message: "m" });
    expect(error?.data).toBeUndefined();
  });

  test("can be given to the classes of errors", () => {
    const error = new QuotaExceededError({ data: quota });
    expect(error.data?.limit).toBe(limit);
    expect(error).toBeInstanceOf(RpcError);
    expect(plainName).toBe("QuotaExceeded");
  });
});
