import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { Example } from "../../../../generator/language/diagnostics/catalog/entry.ts";
import { catalog } from "../../../../generator/language/diagnostics/catalog.ts";
import { allCodes } from "../../../../generator/language/explain.ts";
import { runExamples } from "../../../support/examples.ts";

const names = allCodes.map(({ name }) => name);

test("each code is unique, and consists of RK and three digits", () => {
  const codes = allCodes.map(({ entry }) => entry.code);
  expect(codes.filter((code) => !/^RK[1-9][0-9]{2}$/.test(code))).toEqual([]);
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
});

test("no name is in two areas of the catalog", () => {
  const folder = fileURLToPath(
    new URL("../../../../generator/language/diagnostics/catalog/", import.meta.url),
  );
  const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));
  const codes = texts.flatMap((text) => [...text.matchAll(/code: "(RK\d+)"/g)].map(([, code]) => code));
  const inCatalog = Object.values(catalog).map(({ code }) => code as string);
  expect(codes.toSorted()).toEqual(inCatalog.toSorted());
});

test("each message is one sentence with a full stop", () => {
  const messages = allCodes.map(({ entry }) => entry.message);
  expect(messages.filter((text) => !/[.?]$|: \{reason\}$/.test(text) || /[.?!] [A-Z]/.test(text))).toEqual(
    [],
  );
});

test("each name of the catalog is used in the sources", () => {
  const root = fileURLToPath(new URL("../../../../generator/", import.meta.url));
  const sources = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !/diagnostics.catalog/.test(path))
    .map((path) => readFileSync(join(root, path), "utf8"));
  const spoken = new Set(
    sources.flatMap((text) => [...text.matchAll(/"([a-z][a-z0-9-]*)"/g)].map(([, name]) => name)),
  );
  expect(names.filter((name) => !spoken.has(name))).toEqual([]);
});

/** Dozens of processes run one after the other, possibly on a busy machine. */
const timeoutMs = 300_000;

describe("the examples of the explanations", () => {
  const examples = (kind: "bad" | "good"): Map<string, Example> =>
    new Map(allCodes.map(({ name, entry }) => [name, entry.examples()[kind]]));

  test(
    "each invalid example reports its code",
    async () => {
      const found = await runExamples(examples("bad"));
      const missing = allCodes.filter(({ name, entry }) => found.get(name)?.includes(entry.code) !== true);
      expect(missing.map(({ name, entry }) => [entry.code, name, found.get(name)])).toEqual([]);
    },
    timeoutMs,
  );

  test(
    "each valid example reports nothing with --strict",
    async () => {
      const found = await runExamples(examples("good"), ["--strict"]);
      expect([...found].filter(([, codes]) => codes.length > 0)).toEqual([]);
    },
    timeoutMs,
  );
});
