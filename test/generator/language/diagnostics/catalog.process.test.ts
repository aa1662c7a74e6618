import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { CatalogEntry } from "../../../../generator/language/diagnostics/catalog/entry.ts";
import { type CatalogName, catalog } from "../../../../generator/language/diagnostics/catalog.ts";
import type { Example } from "../../../../generator/language/diagnostics/explanations/explanation.ts";
import { explanations } from "../../../../generator/language/diagnostics/explanations.ts";
import { runExamples } from "../../../support/examples.ts";

const names = Object.keys(catalog) as CatalogName[];
const entries: readonly (readonly [CatalogName, CatalogEntry])[] = names.map((name) => [name, catalog[name]]);

test("each code is unique, and consists of RK and three digits", () => {
  const codes = entries.map(([, { code }]) => code);
  expect(codes.filter((code) => !/^RK[1-9][0-9]{2}$/.test(code))).toEqual([]);
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
});

test("no name is in two areas of the catalogue", () => {
  const folder = fileURLToPath(
    new URL("../../../../generator/language/diagnostics/catalog/", import.meta.url),
  );
  const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));
  const codes = texts.flatMap((text) => [...text.matchAll(/code: "(RK\d+)"/g)].map(([, code]) => code));
  expect(codes.toSorted()).toEqual(entries.map(([, { code }]) => code).toSorted());
});

test("each message is one sentence with a full stop", () => {
  const messages = entries.map(([, { message }]) => message);
  expect(messages.filter((text) => !/[.?]$|: \{reason\}$/.test(text) || /[.?!] [A-Z]/.test(text))).toEqual(
    [],
  );
});

test("each name of the catalogue is used in the sources", () => {
  const root = fileURLToPath(new URL("../../../../generator/", import.meta.url));
  const sources = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !/^diagnostics.(catalog|explanations)/.test(path))
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
    new Map(names.map((name) => [name, explanations[name][kind]]));

  test(
    "each invalid example reports its code",
    async () => {
      const found = await runExamples(examples("bad"));
      const missing = entries.filter(([name, { code }]) => found.get(name)?.includes(code) !== true);
      expect(missing.map(([name, { code }]) => [code, name, found.get(name)])).toEqual([]);
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
