import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FaultList } from "../../../../server/host/admin/transfer/fault-list.ts";

let told = "";
beforeEach(() => {
  told = "";
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    told += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const fault = (line: number, reason = "wrong") => ({ line, reason });

test.each([
  [19, 19, ""],
  [20, 20, ""],
  [21, 20, "platform: 1 more are not shown; show more with --faults N"],
  [1_020, 20, "platform: 1,000 more are not shown; show more with --faults N"],
])("of %i errors %i are shown, followed by %j", (count, shown, rest) => {
  const list = new FaultList("a.ndjson", 20);
  const faults = Array.from({ length: count }, (_, index) => fault(index + 1));
  list.add(faults.slice(0, 7));
  list.add(faults.slice(7));
  list.printRest();
  const lines = told.trimEnd().split("\n");
  expect(lines.slice(0, shown)).toEqual(
    faults.slice(0, shown).map(({ line }) => `platform: a.ndjson:${line}: wrong`),
  );
  expect(lines.slice(shown).join("\n")).toBe(rest);
});

test.each([
  [599, 599],
  [600, 600],
  [601, 600],
])("of a message of %i characters %i are shown", (length, shown) => {
  new FaultList("a", 20).add([fault(1, "x".repeat(length))]);
  expect(told).toBe(`platform: a:1: ${"x".repeat(shown)}\n`);
});
