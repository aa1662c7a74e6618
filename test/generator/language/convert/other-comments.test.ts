import { describe, expect, test } from "vitest";
import { convert } from "../../../../generator/language/convert/convert.ts";
import { memoryReader } from "../../../support/memory-reader.ts";

test("a private comment stays directly above its item, below separate comments", () => {
  const ridl = `webrpc = v1

# Errors of the host.

#! ridlkit-ignore unused-errors: raised by the host
# Too many calls.
error 1 RateLimited "slow down" HTTP 429
`;
  const yaml = convert("api.ridl", memoryReader({ "api.ridl": ridl }), { to: "yaml" }).text ?? "";
  expect(yaml.slice(yaml.indexOf("errors:"))).toBe(`errors:
  # Errors of the host.

  #! ridlkit-ignore unused-errors: raised by the host
  # Too many calls.
  RateLimited: { code: 1, message: slow down, status: 429 }
`);
  expect(convert("api.yaml", memoryReader({ "api.yaml": yaml }), { to: "ridl" }).text).toBe(ridl);
});

test("comments at the end of a file keep their blank lines", () => {
  const end = "# one\n# two\n\n# three\n";
  const ridl = `webrpc = v1\n\nstruct Pet\n  - id: int\n\n${end}`;
  const yaml = convert("api.ridl", memoryReader({ "api.ridl": ridl }), { to: "yaml" }).text ?? "";
  expect(yaml.slice(yaml.indexOf("# one")).trimEnd()).toBe(end.trimEnd());
  expect(convert("api.yaml", memoryReader({ "api.yaml": yaml }), { to: "ridl" }).text).toBe(ridl);
});

describe("a YAML line with brackets has at most 100 characters", () => {
  /** The lines from `key` on, of a schema with a name of this length. */
  function linesOf(key: string, ridl: string): string[] {
    const text = `webrpc = v1\nname = t\nversion = v1\nbasepath = /rpc\n${ridl}`;
    const yaml = convert("api.ridl", memoryReader({ "api.ridl": text }), { to: "yaml" }).text ?? "";
    const lines = yaml.split("\n");
    return lines.slice(lines.findIndex((line) => line.trim().startsWith(`${key}:`)));
  }

  test.each<[string, (length: number) => string]>([
    ["values", (length) => `enum Kind: string\n  - CAT\n  - ${"D".repeat(length)}\n`],
    ["values", (length) => `enum Kind: int\n  - CAT = 1\n  - ${"D".repeat(length)} = 2\n`],
    ["input", (length) => `service Pets\n  - Get(a: int, ${"b".repeat(length)}: int)\n`],
    ["output", (length) => `service Pets\n  - Get() => (a: int, ${"b".repeat(length)}: int)\n`],
  ])("%s", (key, ridl) => {
    const width = (length: number): number => linesOf(key, ridl(length))[0]?.length ?? 0;
    const longest = 60 + 100 - width(60);
    expect(width(60)).toBeGreaterThan(60);
    expect(width(longest - 1)).toBe(99);
    expect(width(longest)).toBe(100);
    expect(linesOf(key, ridl(longest + 1))[0]?.trim()).toBe(`${key}:`);
  });
});
