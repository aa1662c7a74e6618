import { describe, expect, test } from "vitest";
import { load } from "../../../../generator/language/load.ts";
import { buildScopes, type Scope } from "../../../../generator/language/model/scope.ts";
import { complete } from "../../../../generator/tools/lsp/complete.ts";
import { hoverText } from "../../../../generator/tools/lsp/hover.ts";
import { isDeclared, mentionAt, mentionsIn } from "../../../../generator/tools/lsp/names-in-schema.ts";
import { memoryReader } from "../../../support/memory-reader.ts";

const head = "webrpc = v1\nname = t\nversion = v1\nbasepath = /rpc\n";
const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => `${line(index)}\n`).join("");

function scopesOf(text: string): { readonly scopes: readonly Scope[]; readonly scope: Scope } {
  const scopes = buildScopes(load("m.ridl", memoryReader({ "m.ridl": text })).files);
  const scope = scopes.at(-1);
  if (scope === undefined) throw new Error("It cannot be read.");
  return { scopes, scope };
}

/** What is shown of the thing that the first `word` names. */
function hover(body: string, word: string): string {
  const { scopes, scope } = scopesOf(head + body);
  const entity = mentionAt(mentionsIn(scope), (head + body).indexOf(word))?.entity;
  if (entity === undefined || !isDeclared(entity)) throw new Error(`"${word}" means nothing.`);
  return hoverText(entity, scopes);
}

describe("a declaration is shown", () => {
  test.each([
    [23, false],
    [24, false],
    [25, true],
  ])("in 24 of its %i lines at most", (count, isCut) => {
    const ridl = /^```ridl\n([^`]*)\n```/m.exec(
      hover(`struct Pet\n${lines(count - 1, (index) => `  - f${index}: int`)}`, "Pet"),
    )?.[1];
    expect(ridl?.split("\n")).toHaveLength(Math.min(count, 24) + (isCut ? 1 : 0));
    expect(ridl?.endsWith("…")).toBe(isCut);
  });
});

describe("a type is written out as JSON", () => {
  const json = (body: string): string => /```typescript\n([^`]*)\n```/.exec(hover(body, "Pet"))?.[1] ?? "";

  test.each([
    [39, false],
    [40, false],
    [41, true],
  ])("with 40 of its %i fields at most", (count, isCut) => {
    const form = json(`struct Pet\n${lines(count, (index) => `  - f${index}: int`)}`);
    expect(form.match(/: number/g)).toHaveLength(Math.min(count, 40));
    expect(form.includes("…")).toBe(isCut);
  });

  test.each([
    [39, false],
    [40, false],
    [41, true],
  ])("with 40 of its %i values at most", (count, isCut) => {
    const form = json(`enum Pet: int\n${lines(count, (index) => `  - V${index}`)}`);
    expect(form.match(/"V/g)).toHaveLength(Math.min(count, 40));
    expect(form.includes("…")).toBe(isCut);
  });

  test.each([
    [11, true],
    [12, true],
    [13, false],
  ])("in it an enum of %i values: %j", (count, isWritten) => {
    const form = json(
      `struct Pet\n  - kind: Kind\nenum Kind: int\n${lines(count, (index) => `  - V${index}`)}`,
    );
    expect(form.includes('"V0"')).toBe(isWritten);
  });

  test.each([
    [79, 1],
    [80, 1],
    [81, 3],
  ])("on a line of its own up to 80 characters: %i are on %i", (width, count) => {
    const name = "x".repeat(width - '{ "": number }'.length);
    expect(json(`struct Pet\n  - ${name}: int\n`).split("\n")).toHaveLength(count);
  });
});

describe("what may be written is offered", () => {
  test.each([
    [199, false],
    [200, false],
    [201, true],
  ])("200 of %i names at most", async (count, isCut) => {
    const text = `${head}${lines(count, (index) => `struct Zebra${index}`)}struct Pet\n  - a: Zebra`;
    const { scopes, scope } = scopesOf(text);
    const currentScope = async (): Promise<Scope> => scope;
    const task = {
      source: scope.file.source,
      offset: text.length,
      scope,
      scopes,
      list: () => [],
      currentScope,
    };
    const found = await complete(task);
    expect(found.suggestions).toHaveLength(Math.min(count, 200));
    expect(found.isIncomplete).toBe(isCut);
  });
});

test("an optional argument has a question mark, as an optional field has", () => {
  const body = "service S\n  - Find(label?: string, limit: int) => ()\n";
  expect(hover(body, "label")).toContain('"label"?: string');
  expect(hover(body, "limit")).toContain('"limit": number');
});

test("a field that may be null shows it", () => {
  const body =
    "struct Pet\n  - note?: string\n    + nullable = always\n  - tag?: string\n    + nullable = read\n";
  expect(hover(body, "note")).toContain('"note"?: string | null');
  expect(hover(body, "tag")).not.toContain("null\n");
  expect(hover(body, "Pet")).toContain('{ "note"?: string | null, "tag"?: string }');
});
