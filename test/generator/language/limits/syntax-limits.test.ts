import { describe, expect, test } from "vitest";
import { Lexer } from "yaml";
import { compile } from "../../../../generator/language/compile.ts";
import { memoryReader } from "../../../support/memory-reader.ts";

const codes = (name: string, text: string): string[] =>
  compile(name, memoryReader({ [name]: text })).diagnostics.map(({ code }) => code);
const ridl = (body: string): string[] =>
  codes("m.ridl", `webrpc = v1\nname = t\nversion = v1\nbasepath = /rpc\n${body}`);
const yaml = (body: string): string[] =>
  codes("m.yaml", `webrpc: v1\nname: t\nversion: v1\nbasepath: /rpc\n${body}`);

const inRidl = (type: string): string[] => ridl(`struct T\n - a: ${type}\n`);
const inYaml = (type: string): string[] => yaml(`types:\n  T:\n    fields:\n      a: "${type}"\n`);
const inIr = (type: string): string[] =>
  codes(
    "m.json",
    `{"webrpc":"v1","types":[{"kind":"struct","name":"A","fields":[{"name":"a","type":"${type}"}]}]}`,
  );

const lists = (levels: number): string => `${"[]".repeat(levels)}int`;
const listsBehind = (levels: number): string => `int${"[]".repeat(levels)}`;
const maps = (levels: number): string => `${"map<string,".repeat(levels)}int${">".repeat(levels)}`;
/** Half of the levels are maps, each in a list. */
const mixed = (levels: number): string =>
  `${"map<string,".repeat(levels / 2)}int${">[]".repeat(levels / 2)}${"[]".repeat(levels % 2)}`;

describe("types may nest at most 1,000 levels", () => {
  test.each([
    ["lists in RIDL", inRidl, lists, "RK114"],
    ["maps in RIDL", inRidl, maps, "RK114"],
    ["lists in front in YAML", inYaml, lists, "RK114"],
    ["lists behind in YAML", inYaml, listsBehind, "RK114"],
    ["maps in YAML", inYaml, maps, "RK114"],
    ["lists of maps in YAML", inYaml, mixed, "RK114"],
    ["lists in the IR", inIr, lists, "RK113"],
    ["maps in the IR", inIr, maps, "RK113"],
  ])("%s", (_, found, type, code) => {
    expect([999, 1_000, 1_001].map((levels) => found(type(levels)))).toEqual([[], [], [code]]);
  });

  test("the limit counts lists around each map", () => {
    expect(inYaml(`${"map<string,".repeat(900)}int${`>${"[]".repeat(100)}`.repeat(900)}`)).toEqual(["RK114"]);
  });
});

/** Nested maps, one line and one level of indentation each. */
const blockMaps = (levels: number): string =>
  Array.from({ length: levels }, (_, level) => `${" ".repeat(level)}a:`).join("\n");

describe("YAML", () => {
  test.each([
    // Each is inside a map of the file.
    ["lists in brackets", (levels: number) => `a: ${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}\n`],
    ["maps in braces", (levels: number) => `a: ${"{a: ".repeat(levels - 1)}1${"}".repeat(levels - 1)}\n`],
    ["maps by indentation", (levels: number) => `${blockMaps(levels)} 1\n`],
    ["lists by indentation", (levels: number) => `a:\n  ${"- ".repeat(levels - 1)}1\n`],
  ])("is nested 64 levels deep at most: %s", (_, text) => {
    const isTooDeep = (levels: number): boolean => codes("m.yaml", text(levels)).includes("RK622");
    expect([63, 64, 65].map(isTooDeep)).toEqual([false, false, true]);
  });

  test("may have at most 500,000 tokens", () => {
    const start = "webrpc: v1\nname: t\nversion: v1\nbasepath: /rpc\n";
    const own = [...new Lexer().lex(`${start}\n`)].length - 1;
    const text = (tokens: number): string => start + "\n".repeat(tokens - own);
    expect([...new Lexer().lex(text(500_000))]).toHaveLength(500_000);
    const found = [500_000, 500_001].map((tokens) => codes("m.yaml", text(tokens)));
    expect(found).toEqual([[], ["RK623"]]);
  });
});
