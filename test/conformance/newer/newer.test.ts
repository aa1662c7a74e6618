/** What webrpc after v0.44 reads and rejects. Its parser is not at hand, so these verdicts are written by hand. */
import { describe, expect, test } from "vitest";
import { compile } from "../../../generator/language/compile.ts";
import { memoryReader } from "../../support/memory-reader.ts";
import { enumRows } from "./enums.ts";
import { fileRows } from "./files.ts";
import { routeRows } from "./routes.ts";
import { expectSameInEachForm, type NewerRow, newerHeader } from "./rows.ts";
import { strayWordRows } from "./stray-words.ts";

const topics: Readonly<Record<string, readonly NewerRow[]>> = {
  file: fileRows,
  "json on enum values": enumRows,
  "stray words": strayWordRows,
  routes: routeRows,
};

test("files and routes have at least 120 cases, with each of their errors", () => {
  const rows = [...fileRows, ...routeRows];
  expect(rows.length).toBeGreaterThanOrEqual(120);
  const found = new Set(rows.flatMap(([, , ...codes]) => codes));
  const wanted = [131, 132, 133, 134, 347, 348, ...Array.from({ length: 16 }, (_, index) => 353 + index)];
  expect(wanted.map((code) => `RK${code}`).filter((code) => !found.has(code))).toEqual([]);
});

describe.each(Object.entries(topics))("%s", (_topic, rows) => {
  test("each fact is stated once", () => {
    expect(new Set(rows.map(([fact]) => fact)).size).toBe(rows.length);
    expect(new Set(rows.map(([, text]) => text)).size).toBe(rows.length);
  });

  test.each(rows)("%s: %j", (_fact, text, ...codes) => {
    const source = newerHeader + text;
    const { result, diagnostics } = compile("m.ridl", memoryReader({ "m.ridl": source }));
    expect(diagnostics.map(({ code }) => code).sort()).toEqual(codes);
    const isRejected = diagnostics.some(({ severity }) => severity === "error");
    expect(result === undefined).toBe(isRejected);
    if (!isRejected) expectSameInEachForm({ "m.ridl": source });
  });
});
