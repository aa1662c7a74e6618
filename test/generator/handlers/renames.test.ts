import * as morph from "ts-morph";
import { describe, expect, test } from "vitest";
import { contractOf } from "../../../generator/handlers/contract.ts";
import { findRenames } from "../../../generator/handlers/find-renames.ts";
import { addAtEnd, addMembers } from "../../../generator/handlers/insert.ts";
import { readSyncState } from "../../../generator/handlers/sync-state.ts";
import { updateHandlers } from "../../../generator/handlers/update-handlers.ts";
import { planOf } from "../../support/sample-plan.ts";

const header = "webrpc = v1\nname = t\nversion = v1\nbasepath = /rpc\n";
const contract = (...methods: readonly string[]) =>
  contractOf(planOf({ "m.ridl": `${header}service Pets\n${methods.join("\n")}\n  - Ping()\n` }, "m.ridl"));

const byId = (name: string): string => `  - ${name}(id: uint64) => (name: string)`;

describe("a renamed method is recognized", () => {
  test.each<[string, string[], string[], [string, string][]]>([
    ["if one is gone and one is new", ["Get"], ["Find"], [["Pets.Get", "Find"]]],
    ["but not if two are gone", ["Get", "Look"], ["Find"], []],
    ["but not if two are new", ["Get"], ["Find", "Seek"], []],
    ["but not if two gave way to two", ["Get", "Look"], ["Find", "Seek"], []],
    ["but not if it stays beside the new one", ["Get"], ["Get", "Find"], []],
  ])("%s", (_, before, now, renamed) => {
    const { methods } = findRenames(contract(...before.map(byId)), contract(...now.map(byId)));
    expect([...methods]).toEqual(renamed);
  });
});

test.each<[string, string[], string[], [string, string][]]>([
  ["though another is gone", ["Get", "Look"], ["Find"], [["Pets.Get", "Find"]]],
  ["though another is new", ["Get"], ["Find", "Seek"], [["Pets.Get", "Find"]]],
  [
    "and the others are paired without it",
    ["Get", "Look"],
    ["Find", "Seek"],
    [
      ["Pets.Look", "Seek"],
      ["Pets.Get", "Find"],
    ],
  ],
  ["unless the old one stays", ["Get"], ["Get", "Find"], []],
])("Find has @renamedFrom:Get, %s", (_, before, now, renamed) => {
  const annotated = now.map((name) => `${name === "Find" ? "  @renamedFrom:Get\n" : ""}${byId(name)}`);
  const { methods } = findRenames(contract(...before.map(byId)), contract(...annotated));
  expect([...methods]).toEqual(renamed);
});

test.each([
  [["Get"], ["handlers/Pets/Get.ts"]],
  [["Get", "Find"], []],
])("after a rename of Get to Find, of the files %j, %j moves", (present, moved) => {
  const merge = (files: ReadonlyMap<string, string>, now: string, lastSync: string | undefined) =>
    updateHandlers(
      {
        root: "handlers",
        cwd: "/project",
        generated: "generated",
        isChosen: () => true,
        files,
        contract: contract(byId(now)),
        lastSync: lastSync === undefined ? undefined : readSyncState(lastSync),
      },
      morph,
    );
  const files = new Map(present.map((name) => [`handlers/Pets/${name}.ts`, "export const answer = 42;\n"]));
  const { syncState } = merge(files, "Get", undefined);
  expect([...merge(files, "Find", syncState).moved.keys()]).toEqual(moved);
});

/** Handlers of `Get` and `Ping` in each supported style. */
const styles: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "an object": {
    "handlers/handlers.ts": `import type { Handlers } from "../generated/server.ts";

export const handlers: Handlers = {
  Pets: {
    Get: async () => ({ name: "Tom" }),
    Ping: () => ({}),
  },
};
`,
  },
  "a module": {
    "handlers/handlers.ts": `import type { Handlers } from "../generated/server.ts";
import * as Pets from "./pets.ts";

export const handlers: Handlers = { Pets };
`,
    "handlers/pets.ts": `export const Get = async () => ({ name: "Tom" });
export const Ping = () => ({});
`,
  },
};

describe("a file keeps its line breaks when a method is renamed and another is added", () => {
  const before = contract(byId("Get"));
  const now = contract(byId("Find"), "  - Count() => (count: uint32)");

  function mergedTexts(written: (text: string) => string, style: string): string[] {
    const files = new Map(Object.entries(styles[style] ?? {}).map(([path, text]) => [path, written(text)]));
    const folders = {
      root: "handlers",
      cwd: "/project",
      generated: "generated",
      isChosen: () => true,
    };
    const { syncState = "" } = updateHandlers(
      { ...folders, files, contract: before, lastSync: undefined },
      morph,
    );
    const { changed } = updateHandlers(
      { ...folders, files, contract: now, lastSync: readSyncState(syncState) },
      morph,
    );
    expect([...changed.values()].join("")).toMatch(/\bFind\b/);
    expect([...changed.values()].join("")).toMatch(/\bCount\b/);
    return [...changed.values()];
  }

  test.each(Object.keys(styles))("CRLF in %s", (style) => {
    for (const text of mergedTexts((text) => text.replaceAll("\n", "\r\n"), style))
      expect(text.replaceAll("\r\n", "")).not.toContain("\n");
  });

  test.each(Object.keys(styles))("LF in %s", (style) => {
    for (const text of mergedTexts((text) => text, style)) expect(text).not.toContain("\r");
  });

  test.each(Object.keys(styles))("without a final line break in %s", (style) => {
    for (const text of mergedTexts((text) => text.trimEnd(), style)) expect(text).not.toMatch(/;export/);
  });
});

test.each([
  ["", "x\n"],
  ["1", "\nx\n"],
  ["1\n", "x\n"],
  ["1\r\n", "x\r\n"],
  ["1\r\n2", "\r\nx\r\n"],
  ["1\r\n2\n", "x\n"],
  ["1\r\n2\r\n3\n", "x\r\n"],
  ["1\r\n2\n3\n", "x\n"],
])("below %j a line is added as %j", (text, line) => {
  expect(addAtEnd("a.ts", ["x"], text).text).toBe(line);
});

test.each([
  ["", "  "],
  ["  ", "    "],
  ["\t", "\t\t"],
])("a member is indented like the others, or one level deeper than %j", (outer, inner) => {
  const member = [{ name: "Get", value: "get" }];
  const added = (text: string, lastEnd: number): string => {
    const inside = { start: text.indexOf("{") + 1, end: text.lastIndexOf("}") };
    const state = { hasTrailingComma: true, hasUnknownNames: false, names: new Set<string>() };
    const container = { ...state, service: "Pets", kind: "object" as const, path: "a.ts", inside, lastEnd };
    const edits = addMembers(container, member, text);
    return edits.map((edit) => edit.text).join("");
  };
  const line = `\n${inner}Get: get,`;
  const full = `${outer}const pets = {\n${inner}Add: add,\n${outer}};\n`;
  expect(added(full, full.indexOf("add,") + 3)).toBe(line);
  const empty = `${outer}const pets = {\n${outer}};\n`;
  expect(added(empty, empty.indexOf("{") + 1)).toBe(line);
});
