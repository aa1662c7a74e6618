import { describe, expect, test } from "vitest";
import { cutJson, describeCuts } from "../../../../generator/runtime/src/mcp-call.ts";
import { seededRandom } from "../../../support/random.ts";

const bytesOf = (text: string): number => new TextEncoder().encode(text).byteLength;

describe("a value", () => {
  const text = (length: number) => ({ text: "x".repeat(length - '{"text":""}'.length) });

  test.each([
    ["one byte below the limit", 999, false],
    ["at the limit", 1_000, false],
    ["one byte above the limit", 1_001, true],
  ])("%s is %s bytes and cut: %s", (_, length, isCut) => {
    const { text: printed, cuts } = cutJson(text(length), 1_000);
    expect(cuts.length > 0).toBe(isCut);
    expect(JSON.parse(printed)).toBeTypeOf("object");
    expect(bytesOf(printed)).toBeLessThanOrEqual(1_000);
    expect(bytesOf(printed) === length).toBe(!isCut);
  });

  test("is measured in bytes of UTF-8", () => {
    expect(cutJson("ä".repeat(499), 1_000).cuts).toEqual([]);
    expect(cutJson("ä".repeat(500), 1_000).cuts).toEqual(["/: 100 of 500 characters"]);
  });
});

test("lists keep as many items as fit", () => {
  const value = { items: Array.from({ length: 500 }, (_, id) => ({ id })), page: 1 };
  const { text, cuts } = cutJson(value, 1_000);
  const { items, page } = JSON.parse(text) as { items: readonly unknown[]; page: number };
  expect(page).toBe(1);
  expect(cuts).toEqual([`/items: ${items.length} of 500 items`]);
  const more = JSON.stringify({ items: value.items.slice(0, items.length + 1), page: 1 });
  expect(bytesOf(more)).toBeGreaterThan(1_000);
});

test("texts are shortened before few items are left", () => {
  const value = Array.from({ length: 5 }, () => ({ text: "x".repeat(3_000) }));
  const { text, cuts } = cutJson(value, 4_000);
  const items = JSON.parse(text) as readonly { readonly text: string }[];
  expect(items.map((item) => item.text)).toEqual(Array.from({ length: 5 }, () => `${"x".repeat(500)}…`));
  expect(cuts[0]).toBe("/0/text: 500 of 3000 characters");
});

test("three items are enough to keep long texts", () => {
  const value = Array.from({ length: 5 }, () => "x".repeat(1_000));
  expect(cutJson(value, 3_100)).toMatchObject({
    text: JSON.stringify(value.slice(0, 3)),
    cuts: ["/: 3 of 5 items"],
  });
});

test("integers keep their digits, and text its characters", () => {
  const value = { id: 2n ** 63n - 1n, list: Array.from({ length: 900 }, () => "😀😀") };
  const { text } = cutJson(value, 1_000);
  expect(text).toContain('"id":9223372036854775807');
  expect(cutJson("😀".repeat(4_001), 10_000).text).not.toMatch(/\\ud/);
});

test("10,000 random values: valid JSON within the limit", () => {
  const random = seededRandom(3);
  let parts = 0;
  const randomValue = (level: number): unknown => {
    const count = parts++ > 200 ? 0 : random.below(random.chance(10) ? 60 : 5);
    switch (random.below(level > 5 ? 3 : 6)) {
      case 0:
        return random.below(1e9);
      case 1:
        return 'é"\n'.repeat(random.below(random.chance(10) ? 800 : 9));
      case 2:
        return random.pick([null, true, 2n ** 60n]);
      case 3:
        return Array.from({ length: count }, () => randomValue(level + 1));
      default:
        return Object.fromEntries(
          Array.from({ length: count }, (_, key) => [`k${key}`, randomValue(level + 1)]),
        );
    }
  };
  let cut = 0;
  for (let index = 0; index < 10_000; index++) {
    parts = 0;
    const { text, cuts } = cutJson(randomValue(0), 1_000);
    JSON.parse(text);
    if (bytesOf(text) > 1_000) throw new Error(`value ${index} has ${bytesOf(text)} bytes`);
    if (cuts.length > 0) cut++;
  }
  expect(cut).toBeGreaterThan(1_000);
}, 300_000);

test("what was cut is listed once for all items of a list, and at most eight places", () => {
  const cuts = [
    "/items: 2 of 9 items",
    "/items/0/text: 500 of 700 characters",
    "/items/1/text: 500 of 700 characters",
    ...Array.from({ length: 9 }, (_, index) => `/more${index}: 1 of 2 items`),
  ];
  expect(describeCuts({ text: "", cuts }, 1_000, "Select.")).toBe(
    "Cut to 1000 bytes. Kept /items: 2 of 9 items; /items/*/text: 500 of 700 characters; /more0: 1 of 2 items; " +
      "/more1: 1 of 2 items; /more2: 1 of 2 items; /more3: 1 of 2 items; /more4: 1 of 2 items; /more5: 1 of 2 items; " +
      "and 3 more. Select.",
  );
});

test("what does not fit is not visited", () => {
  let visited = 0;
  const trap = {
    ownKeys: (item: object) => {
      visited++;
      return Reflect.ownKeys(item);
    },
  };
  const part = () => new Proxy({ id: 1 }, trap);
  const value = Array.from({ length: 200 }, () => Array.from({ length: 100 }, part));
  expect(cutJson(value, 1_000).cuts).not.toEqual([]);
  // Printing and measuring the whole visit each of 20,000 objects once. Each attempt visits only those that fit.
  expect(visited).toBeGreaterThanOrEqual(40_000);
  expect(visited).toBeLessThan(45_000);
});
