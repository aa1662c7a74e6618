/** Responses of the tool `call`: values, streams and files. */
import { describe, expect, test } from "vitest";
import { apiOf, bodyOf, json, textOf, toolsOf } from "./api.ts";
import { recorded } from "./recorded.ts";

describe("responses", () => {
  const order = '{"order":{"id":9007199254740993,"names":{"a":"x"},"new":1}}';

  test.each<[readonly string[], string]>([
    [[], '{"order":{"id":9007199254740993,"names":{"a":"x"}}}'],
    [["order.id"], '{"order":{"id":9007199254740993}}'],
    [["order.names.a"], '{"order":{"names":{"a":"x"}}}'],
    [["order.names.*"], '{"order":{"names":{"a":"x"}}}'],
    [["order"], '{"order":{"id":9007199254740993,"names":{"a":"x"}}}'],
  ])("fields %j", async (fields, expected) => {
    expect(bodyOf(await recorded(() => json(order)).call("Orders.GetOrder", { id: 1 }, fields))).toBe(
      expected,
    );
  });

  test("a field and a field inside of it keep the whole field", async () => {
    const { call } = recorded(() => json(order));
    const whole = '{"order":{"id":9007199254740993,"names":{"a":"x"}}}';
    expect(bodyOf(await call("Orders.GetOrder", { id: 1 }, ["order.id", "order"]))).toBe(whole);
    expect(bodyOf(await call("Orders.GetOrder", { id: 1 }, ["order", "order.id"]))).toBe(whole);
  });

  test.each([
    ["orders", 'GetOrderResponse has no field "orders". It has: order.'],
    ["order.id.x", "int64 has no fields."],
  ])("the unknown field %s is an error, and nothing is sent", async (field, message) => {
    const { call, sent } = recorded();
    expect(textOf(await call("Orders.GetOrder", { id: 1 }, [field]))).toContain(message.replace(/"/g, '\\"'));
    expect(sent).toEqual([]);
  });

  test.each([
    [40, "f39."],
    [41, "f39 and 1 more."],
    [200, "f39 and 160 more."],
  ])("an unknown field of %i names at most 40 of them", async (count, end) => {
    const fields = Array.from({ length: count }, (_, index) => `  - f${index}: bool\n`).join("");
    const api = apiOf(`struct Large\n${fields}\nservice S\n  - Get() => (large: Large)\n`);
    const { call } = toolsOf(api, "http://shop.test");
    const text = textOf(await call("S.Get", {}, ["large.none"]));
    expect(text).toContain(`It has: f0, `);
    expect(text).toContain(`, ${end}`);
  });

  test("a large one is cut, and says how to get less", async () => {
    const orders = Array.from({ length: 900 }, (_, id) => ({ id, names: {} }));
    const { call } = recorded(() => json(JSON.stringify({ orders })), { maxBytes: 1_000 });
    const { content } = await call("Orders.ListOrders");
    expect(JSON.parse(content[0]?.type === "text" ? content[0].text : "")).toHaveProperty("orders");
    expect(textOf({ content })).toMatch(/Cut to 1000 bytes. Kept \/orders: \d+ of 900 items. .*"fields"/);
  });
});

describe("streams", () => {
  const lines = (count: number) => Array.from({ length: count }, (_, id) => `{"id":${id}}\n`).join("");
  const endOf = async (count: number): Promise<unknown> => {
    const result = await recorded(() => new Response(lines(count)), { maxItems: 3 }).call("Feeds.Watch");
    const { items, end } = JSON.parse(bodyOf(result)) as { items: readonly unknown[]; end: string };
    return [items.length, end, result.content.length];
  };

  test("return at most maxItems items", async () => {
    expect(await endOf(2)).toEqual([2, "ended", 1]);
    expect(await endOf(3)).toEqual([3, "more", 2]);
    expect(await endOf(4)).toEqual([3, "more", 2]);
  });

  test("return the items of streamMs milliseconds", async () => {
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('\n{"id":1}\n')),
    });
    const { call } = recorded(() => new Response(body), { streamMs: 50 });
    expect(bodyOf(await call("Feeds.Watch"))).toBe('{"items":[{"id":1}],"end":"more"}');
  });

  test("return their error with the items before it", async () => {
    const error = { error: "NotFound", code: 1, msg: "gone", cause: "inside", status: 404 };
    const text = `{"id":1}\n${JSON.stringify({ webrpcError: error })}\n`;
    const result = await recorded(() => new Response(text)).call("Feeds.Watch");
    expect(bodyOf(result)).toBe('{"items":[{"id":1}],"end":"failed"}');
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { error: { name: "NotFound", code: 1, status: 404, message: "gone" } },
    });
  });
});

describe("files", () => {
  const file = (size: number, type: string) => () =>
    new Response(new Uint8Array(size).fill(0x61), {
      headers: { "Content-Type": type, "Content-Disposition": "attachment; filename*=UTF-8''a%20b.txt" },
    });
  const read = async (size: number, type = "application/zip") =>
    (
      await recorded(file(size, type), { fileMaxBytes: 10, maxBytes: 1_000 }).call("Files.Read", {
        name: "a",
      })
    ).content;

  test.each([
    [9, true],
    [10, true],
    [11, false],
  ])("of %s bytes are sent: %s", async (size, isSent) => {
    const [about, content] = await read(size);
    expect(about).toMatchObject({
      text: expect.stringContaining('"name":"a b.txt","type":"application/zip"'),
    });
    expect(content?.type).toBe(isSent ? "resource" : "text");
  });

  test("are images, texts or bytes", async () => {
    expect((await read(3, "image/png"))[1]).toEqual({ type: "image", data: "YWFh", mimeType: "image/png" });
    expect((await read(3, "text/plain; charset=utf-8"))[1]).toMatchObject({
      resource: { uri: "file:///a%20b.txt", text: "aaa" },
    });
    expect((await read(3))[1]).toMatchObject({ resource: { blob: "YWFh" } });
  });

  test("of text are cut like responses", async () => {
    const { call } = recorded(file(2_000, "text/csv"), { maxBytes: 1_000 });
    const { content } = await call("Files.Read", { name: "a" });
    expect(content[1]).toMatchObject({ resource: { text: "a".repeat(1_000) } });
    expect(content[2]).toEqual({ type: "text", text: "Cut to 1000 of 2000 characters." });
  });
});
