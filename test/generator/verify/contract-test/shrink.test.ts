import { expect, test } from "vitest";
import type { Json } from "../../../../generator/codegen/plan/json.ts";
import { shrink } from "../../../../generator/verify/contract-test/shrink.ts";

const body: Json = {
  title: "a",
  pets: [
    { name: "Tom", tags: ["x", "y"] },
    { name: "Rex", tags: ["y", "bad", "x"], home: { town: "Rio" } },
  ],
  page: { size: 1, more: { deep: true } },
};

test("parts that a violation does not need are removed at every level", async () => {
  const least = await shrink(body, async (smaller) => JSON.stringify(smaller).includes('"bad"'));
  expect(least).toEqual({ pets: [{ tags: ["bad"] }] });
});

test("a body that needs all parts is not changed, and a large one costs at most 150 tries", async () => {
  expect(await shrink(body, async () => false)).toEqual(body);
  let tries = 0;
  const large = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`f${index}`, index]));
  await shrink(large, async () => ++tries > 1_000);
  expect(tries).toBe(150);
});
