import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { WriteContext } from "../../../../generator/runtime/src/reads.ts";
import {
  createPartialServer,
  type Handlers,
  memoryIdempotencyStore,
} from "../../../fixtures/keys/generated/server.ts";
import { deferred, type Host, shop } from "./shop.ts";

describe("a store", () => {
  test("can give the handler another host", async () => {
    const hosts: string[] = [];
    const contexts: WriteContext<Host>[] = [];
    const { send } = shop(
      (ctx, { item }) => {
        hosts.push(ctx.context);
        expect([ctx.method.name, ctx.signal.aborted, ctx.requestId]).toEqual([
          "AddOrder",
          false,
          expect.any(String),
        ]);
        contexts.push(ctx as WriteContext<Host>);
        return { order: { id: 1, item } };
      },
      {},
      {
        store: {
          async run({ scope, key }, host, handle) {
            await handle(`${host} in ${scope}/${key}` as typeof host);
            return "ran";
          },
        },
      },
    );
    expect((await send({ key: '"k"' })).status).toBe(200);
    expect(hosts).toEqual(["ada in ada/k"]);
    const put = await send({ path: "/rpc/desk/1", key: '"k"' });
    expect(put.body).toMatchObject({ order: { item: "ada in ada/k pen" } });
    const changed = await send({ path: "/rpc/desk/1", key: '"k"', headers: { "If-Match": '"v2"' } });
    expect(changed.status).toBe(412);
  });

  test("is not asked if the caller has no scope", async () => {
    const { send, runs } = shop(undefined, {}, { scope: () => undefined as never });
    expect(await send({ key: '"k"' })).toMatchObject({ status: 500, body: { error: "WebrpcInternalError" } });
    expect(runs()).toBe(0);
  });

  test("is required if a served method takes keys", () => {
    const handlers = { Shop: {}, Desk: { Put: () => ({}) } } as unknown as Handlers;
    expect(() => createPartialServer({ Desk: handlers.Desk }, {} as never)).toThrow(
      'no store for the idempotency keys of Desk.Put: pass the option "idempotency" to createServer',
    );
    expect(() => createPartialServer({}, {} as never)).not.toThrow();
  });
});

describe("keys in memory", () => {
  const run = async (store: ReturnType<typeof memoryIdempotencyStore>, key: string, scope = "s") => {
    const outcome = await store.run({ scope, key }, undefined, async () => ({
      fingerprint: "f",
      status: 200,
    }));
    return outcome === "ran";
  };

  test("are kept for 24 hours", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 0 });
    onTestFinished(() => void vi.useRealTimers());
    const store = memoryIdempotencyStore();
    const day = 24 * 60 * 60 * 1_000;
    expect(await run(store, "k")).toBe(true);
    vi.setSystemTime(day - 1);
    expect(await run(store, "k")).toBe(false);
    vi.setSystemTime(day);
    expect(await run(store, "k")).toBe(true);
    expect(await run(store, "k")).toBe(false);
  });

  test("are limited for each scope, and the oldest is dropped first", async () => {
    const store = memoryIdempotencyStore({ maxPerScope: 2 });
    expect(await run(store, "other", "t")).toBe(true);
    for (const key of ["a", "b"]) expect(await run(store, key)).toBe(true);
    for (const key of ["a", "b"]) expect(await run(store, key)).toBe(false);
    expect(await run(store, "c")).toBe(true);
    for (const key of ["b", "c"]) expect(await run(store, key)).toBe(false);
    expect(await run(store, "a")).toBe(true);
    expect(await run(store, "other", "t")).toBe(false);
  });

  test("are 1,000 for each scope by default", async () => {
    const store = memoryIdempotencyStore();
    for (let count = 0; count < 1_000; count++) await run(store, `${count}`);
    expect(await run(store, "0")).toBe(false);
    await run(store, "1000");
    expect(await run(store, "1")).toBe(false);
    expect(await run(store, "0")).toBe(true);
  });

  test("do not mix scopes and keys", async () => {
    const store = memoryIdempotencyStore();
    const end = deferred<undefined>();
    const first = store.run({ scope: "a b", key: "c" }, undefined, () => end.promise);
    expect(await store.run({ scope: "a", key: "b c" }, undefined, async () => undefined)).toBe("ran");
    expect(await store.run({ scope: "a b", key: "c" }, undefined, async () => undefined)).toBe("running");
    end.resolve(undefined);
    expect(await first).toBe("ran");
    expect(await run(store, "c", "a b")).toBe(true);
  });
});
