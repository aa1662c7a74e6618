import { expect, test } from "vitest";
import { aheadOf } from "../../../../server/base/storage/replicas.ts";

test.each([
  ["the time at the start of the query", 1_000, 0],
  ["the time at its end", 1_200, 0],
  ["a millisecond before its start", 999, 0.001],
  ["a millisecond after its end", 1_201, -0.001],
  ["a minute before its start", -59_000, 60],
])("a database whose clock shows %s", (_name, now, ahead) => {
  expect(aheadOf(now, 1_000, 1_200)).toBe(ahead);
});
