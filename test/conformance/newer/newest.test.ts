import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compile } from "../../../generator/language/compile.ts";
import { memoryReader } from "../../support/memory-reader.ts";
import { expectSameInEachForm, hashOf } from "./rows.ts";

interface NewestCase {
  readonly name: string;
  readonly kind: "ridl" | "ir-json";
  readonly source: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly verdict: "ok" | "error" | "hang";
  readonly hash?: string;
}

function read(name: string): string {
  return readFileSync(new URL(name, import.meta.url), "utf8");
}

const { cases } = JSON.parse(read("newest-cases.json")) as { readonly cases: readonly NewestCase[] };
const known = new Map(
  [...read("known-differences.txt").matchAll(/^(accepts|rejects) (.+)$/gm)].map(
    ([, kind = "", name = ""]) => [name, kind] as const,
  ),
);

test("known-differences.txt names cases", () => {
  const names = new Set(cases.map(({ name }) => name));
  expect([...known.keys()].filter((name) => !names.has(name))).toEqual([]);
});

describe("the newest parser", () => {
  test.each(cases)("$name", ({ name, kind, source, files, verdict, hash }) => {
    const path = kind === "ridl" ? "m.ridl" : "m.json";
    const compiled = compile(path, memoryReader({ [path]: source, ...files }));
    const isAccepted = compiled.result !== undefined;
    const difference = known.get(name);
    if (difference !== undefined) {
      expect({ verdict, isAccepted }).toEqual(
        difference === "accepts"
          ? { verdict: "error", isAccepted: true }
          : { verdict: "ok", isAccepted: false },
      );
      return;
    }
    expect(isAccepted).toBe(verdict === "ok");
    expect(hashOf(compiled)).toBe(hash);
    if (kind === "ridl" && isAccepted) expectSameInEachForm({ "m.ridl": source, ...files });
  });
});
