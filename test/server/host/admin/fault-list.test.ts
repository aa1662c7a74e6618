import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { FaultList } from "../../../../server/host/admin/import-export.ts";

/** What the list writes of these errors. */
function written(file: string, add: (list: FaultList) => void): string {
  const stream = new PassThrough({ encoding: "utf8" });
  add(new FaultList(file, 20, stream));
  return (stream.read() as string | null) ?? "";
}

const fault = (line: number, reason = "wrong") => ({ line, reason });

test.each([
  [19, 19, ""],
  [20, 20, ""],
  [21, 20, "platform: 1 more are not shown; show more with --faults N"],
  [1_020, 20, "platform: 1,000 more are not shown; show more with --faults N"],
])("of %i errors %i are shown, followed by %j", (count, shown, rest) => {
  const faults = Array.from({ length: count }, (_, index) => fault(index + 1));
  const told = written("a.ndjson", (list) => {
    list.add(faults.slice(0, 7));
    list.add(faults.slice(7));
    list.printRest();
  });
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
  const told = written("a", (list) => list.add([fault(1, "x".repeat(length))]));
  expect(told).toBe(`platform: a:1: ${"x".repeat(shown)}\n`);
});
