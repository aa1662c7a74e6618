import { describe, expect, test } from "vitest";
import { readItems } from "../../../generator/runtime/src/client-streams.ts";
import type { RpcError } from "../../../generator/runtime/src/errors.ts";

describe("the items of a stream", () => {
  const method = {
    schema: { failures: { [-5]: { name: "Bad", code: -5 }, [-9]: { name: "Lost", code: -9 } } },
  } as never;
  const signal = new AbortController().signal;

  async function read(lines: string, itemMaxLength = 1_000): Promise<unknown> {
    const items: unknown[] = [];
    const body = ReadableStream.from([new TextEncoder().encode(lines)]);
    try {
      for await (const item of readItems(body, { method, silenceMs: 0, itemMaxLength, signal }))
        items.push(item);
    } catch (thrown) {
      const { name, code, cause, status } = thrown as RpcError;
      return { items, name, code, cause, status };
    }
    return items;
  }

  test.each<[string, unknown]>([
    ["", []],
    ['{"a":1}\n\n \n{"a":2}\n', [{ a: 1 }, { a: 2 }]],
    [
      '{"a":1}\n{"a"',
      {
        items: [{ a: 1 }],
        name: "Lost",
        code: -9,
        cause: "the stream ended within an item",
        status: undefined,
      },
    ],
    ["[1]\n", { items: [], name: "Bad", code: -5, cause: "[1]", status: undefined }],
    [`${"x".repeat(201)}\n`, { items: [], name: "Bad", code: -5, cause: "x".repeat(200), status: undefined }],
    [
      '{"webrpcError":{"error":"E","code":7,"status":410}}\n',
      { items: [], name: "E", code: 7, cause: undefined, status: 410 },
    ],
    [
      '{"webrpcError":{"error":"E","code":7,"status":300}}\n',
      { items: [], name: "E", code: 7, cause: undefined, status: 300 },
    ],
    [
      '{"webrpcError":{"error":"E","code":7,"status":299}}\n',
      { items: [], name: "E", code: 7, cause: undefined, status: 400 },
    ],
    [
      '{"webrpcError":{"error":"E","code":7}}\n',
      { items: [], name: "E", code: 7, cause: undefined, status: 400 },
    ],
  ])("%j", async (lines, expected) => {
    expect(await read(lines)).toEqual(expected);
  });

  test.each([
    [7, true],
    [6, false],
  ])("of seven characters, with %i at most, are read: %s", async (max, isRead) => {
    for (const lines of ['{"a":1}\n', '{"a":1}'])
      expect(JSON.stringify(await read(lines, max)).includes("an item is longer than")).toBe(!isRead);
  });
});
