import { describe, expect, test } from "vitest";
import { bodyOf, deferred, shop } from "./shop.ts";

describe("a key that was used", () => {
  test("gets the response again, and the handler does not run", async () => {
    const { send, runs } = shop();
    const first = await send({ key: '"k1"' });
    expect([first.status, first.body]).toEqual([200, { order: { id: 1, item: "pen" } }]);
    const second = await send({ key: '"k1"' });
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect((await send({ key: '"k2"' })).body).toEqual({ order: { id: 2, item: "pen" } });
    expect(runs()).toBe(2);
  });

  test("gets the headers of the first response again", async () => {
    const { send } = shop((ctx, { item }) => {
      ctx.setHeader("Location", "/orders/7");
      ctx.setHeader("Set-Cookie", ["a=1", "b=2"]);
      return item === "pen" ? { order: { id: 7, item } } : ctx.errors.SoldOut();
    });
    for (const [key, item, status] of [
      ['"k"', "pen", 200],
      ['"l"', "ink", 409],
    ] as const)
      for (const attempt of ["first", "second"]) {
        const { headers, ...response } = await send({ key, body: JSON.stringify({ item }) });
        expect([attempt, response.status]).toEqual([attempt, status]);
        expect([headers.get("location"), headers.getSetCookie()]).toEqual(["/orders/7", ["a=1", "b=2"]]);
      }
  });

  test.each([
    ["another request", { body: '{"item":"ink"}' }],
    ["another value within", { body: '{"item":"pen","tags":{"a":"1"}}' }],
    ["another method", { method: "AddNote" }],
  ])("gets HTTP 422 for %s", async (_about, other) => {
    const { send, runs } = shop();
    await send({ key: '"k"' });
    const { status, body, headers } = await send({ key: '"k"', ...other });
    expect(status).toBe(422);
    expect(body).toEqual(bodyOf(422, "this Idempotency-Key was used for another request"));
    expect(headers.get("retry-after")).toBeNull();
    expect(runs()).toBe(1);
  });

  test("may come with its fields in another order, and other white space", async () => {
    const { send, runs } = shop();
    await send({ key: '"k"', body: '{"item":"pen","tags":{"a":"1","b":"2"}}' });
    const second = await send({ key: '"k"', body: '{ "tags": {"b":"2", "a":"1"}, "item": "pen" }' });
    expect([second.status, runs()]).toEqual([200, 1]);
  });

  test("of another caller is new, and never shows the first caller's response", async () => {
    const { send, runs } = shop();
    const first = await send({ key: '"k"', caller: "ada" });
    const other = await send({ key: '"k"', caller: "bob" });
    expect(other.body).not.toEqual(first.body);
    expect(runs()).toBe(2);
    expect((await send({ key: '"k"', caller: "bob", body: '{"item":"ink"}' })).status).toBe(422);
  });

  test("has no effect on a method without the annotation", async () => {
    const { send, runs } = shop();
    for (let count = 0; count < 2; count++) await send({ method: "Plain", key: '"k"' });
    await send({ method: "Plain", key: "" });
    expect(runs()).toBe(3);
  });

  test("works without request fields and with routes, whose path belongs to the request", async () => {
    const { send, runs } = shop();
    for (const body of ["", "{}", "null"])
      expect((await send({ method: "Clear", key: '"c"', body })).body).toEqual({});
    expect(runs()).toBe(1);
    const first = await send({ path: "/rpc/desk/1", key: '"r"' });
    expect([first.status, runs()]).toEqual([200, 2]);
    expect((await send({ path: "/rpc/desk/1", key: '"r"' })).body).toEqual(first.body);
    expect((await send({ path: "/rpc/desk/2", key: '"r"' })).status).toBe(422);
  });
});

describe("while the first call runs", () => {
  test("the second gets HTTP 409 with Retry-After, and the response afterwards", async () => {
    const end = deferred<void>();
    const { send, runs } = shop(async (_ctx, { item }) => {
      await end.promise;
      return { order: { id: 7, item } };
    });
    const first = send({ key: '"k"' });
    await expect.poll(runs).toBe(1);
    const second = await send({ key: '"k"' });
    expect([second.status, second.headers.get("retry-after")]).toEqual([409, "1"]);
    expect(second.body).toEqual(bodyOf(409, "the first call with this Idempotency-Key has not ended"));
    const other = send({ key: '"k"', caller: "bob" });
    await expect.poll(runs).toBe(2);
    end.resolve();
    expect((await other).status).toBe(200);
    expect((await send({ key: '"k"' })).body).toEqual((await first).body);
    expect(runs()).toBe(2);
  });

  test("a deadline that passes does not end it", async () => {
    const end = deferred<void>();
    const { send, runs } = shop(
      async (_ctx, { item }) => {
        await end.promise;
        return { order: { id: 7, item } };
      },
      { deadline: { ms: 300, error: (errors) => errors.Busy() } },
    );
    expect((await send({ key: '"k"' })).status).toBe(503);
    expect((await send({ key: '"k"' })).status).toBe(409);
    end.resolve();
    await expect.poll(async () => (await send({ key: '"k"' })).status).toBe(200);
    expect(runs()).toBe(1);
  });
});

describe("a large response", () => {
  const text = JSON.stringify({ order: { id: 1, item: "\u00e9".repeat(50) } });
  const bytes = Buffer.byteLength(text);

  test.each([
    ["below the limit", bytes + 1, 200],
    ["at the limit", bytes, 200],
    ["above the limit", bytes - 1, 409],
  ])("%s", async (_about, responseMaxBytes, status) => {
    const { send, runs } = shop(
      () => ({ order: { id: 1, item: "\u00e9".repeat(50) } }),
      {},
      { responseMaxBytes },
    );
    expect((await send({ key: '"k"' })).status).toBe(200);
    const second = await send({ key: '"k"' });
    expect([second.status, runs()]).toEqual([status, 1]);
    if (status === 409) {
      const cause = "the first call with this Idempotency-Key has ended, but its response was not kept";
      expect(second.body).toEqual(bodyOf(409, cause));
      expect(second.headers.get("retry-after")).toBeNull();
      expect((await send({ key: '"k"', body: '{"item":"ink"}' })).status).toBe(422);
    }
  });

  test.each([
    [64 * 1024, 200],
    [64 * 1024 + 1, 409],
  ])("of %i bytes, with the default limit, gets %i", async (size, status) => {
    const item = "x".repeat(size - '{"order":{"id":1,"item":""}}'.length);
    const { send } = shop(() => ({ order: { id: 1, item } }));
    await send({ key: '"k"' });
    expect((await send({ key: '"k"' })).status).toBe(status);
  });
});
