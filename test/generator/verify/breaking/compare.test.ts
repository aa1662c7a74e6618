import { describe, expect, test } from "vitest";
import { type CompiledSchema, compile } from "../../../../generator/language/compile.ts";
import type { Diagnostic } from "../../../../generator/language/diagnostics/diagnostic.ts";
import type { Model } from "../../../../generator/language/model/model.ts";
import { findBreaks } from "../../../../generator/verify/breaking/compare.ts";
import { asConverted } from "../../../../generator/verify/breaking/findings.ts";
import { isRenamedInPlace, typeRenames } from "../../../../generator/verify/breaking/renames.ts";
import {
  type BreakingRuleName,
  breakingRules,
  isBreakingRule,
} from "../../../../generator/verify/breaking/rules.ts";
import { findUnchanged, readEarlierVersion } from "../../../../generator/verify/breaking/unchanged.ts";

import { benchSchema } from "../../../bench/schema.ts";
import { memoryReader } from "../../../support/memory-reader.ts";
import { seededRandom } from "../../../support/random.ts";
import { contract, type Parts, type Verdict } from "./changes/change.ts";
import { changes } from "./changes/index.ts";

function compiled(text: string): CompiledSchema {
  const { result, diagnostics } = compile("api.ridl", memoryReader({ "api.ridl": text }));
  if (result === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return result;
}

function modelOf(text: string): Model {
  return compiled(text).model;
}

/** Changes that affect only source code do not affect calls. */
function verdictOf(found: readonly Diagnostic[]): Verdict {
  const onWire = found.filter(({ name }) => isBreakingRule(name) && breakingRules[name].kind !== "source");
  if (onWire.some(({ severity }) => severity === "error")) return "breaks";
  return onWire.length > 0 ? "differs" : "same";
}

test("the table has at least forty changes, and covers every rule", () => {
  expect(changes.length).toBeGreaterThanOrEqual(40);
  expect(new Set(changes.map(({ name }) => name)).size).toBe(changes.length);
  const named = new Set(changes.flatMap(({ rules }) => rules));
  const missing = (Object.keys(breakingRules) as BreakingRuleName[]).filter((rule) => !named.has(rule));
  expect(missing).toEqual([]);
});

test.each(changes)("$name", ({ before, now, servers, callers, rules }) => {
  const models = { before: modelOf(before), now: modelOf(now) };
  const found = findBreaks({ ...models, first: "servers" });
  expect(found.map(({ name }) => name)).toEqual(rules);
  expect(verdictOf(found)).toBe(servers);
  expect(verdictOf(findBreaks({ ...models, first: "callers" }))).toBe(callers);
});

test("the messages, locations and notes of each change", async () => {
  const lines = changes.flatMap(({ name, before, now }) => {
    const models = { before: modelOf(before), now: modelOf(now) };
    const place = (at: Diagnostic["at"]): string =>
      at === undefined
        ? "-"
        : `${at.file.lineAt(at.span.start)}: ${at.file.text.slice(at.span.start, at.span.end)}`;
    const shown = (first: "servers" | "callers"): readonly string[] =>
      findBreaks({ ...models, first }).flatMap(({ severity, message, advice, at, notes }) => [
        `  ${first}, ${severity}: ${message}${advice === undefined ? "" : ` ${advice}`} [${place(at)}]`,
        ...notes.map((note) => `    ${note.message} [${place(note.at)}]`),
      ]);
    return [name, ...shown("servers"), ...shown("callers")];
  });
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("golden/changes.txt");
});

const types =
  "type Short: string\n  + maxLength = 4\ntype Tiny: string\n  + maxLength = 2\ntype Long: Short\nenum Kind: string\n  - A\n  - B\nenum More: string\n  - A\n  - B\n  - C\nenum Size: uint8\n  - A = 2\n  - B\nstruct Pet\n  - name: string\nstruct Cat\n  - name: string\n  - age?: int8";

/** Fields of a request and a response, or other parts: each becomes each other one of its list. */
const grids: Readonly<Record<string, readonly (string | Parts)[]>> = {
  presence: [
    "",
    "n: uint8",
    "n?: uint8",
    "n: uint8 + default = 1",
    "n?: uint8 + default = 2",
    "n?: uint8 + nullable = always",
    "n?: uint8 + nullable = read",
    "n: uint8 + nullable = always",
  ],
  names: [
    "n: uint8",
    "m: uint8",
    "m: uint8 + renamedFrom = n",
    "m: uint8 + alias = n",
    "m: uint8 + json = n",
    "m: uint8 + twin = n",
    "n: uint8 + json = -",
    "a: uint8; b: uint8",
    "a: uint8; b: string + renamedFrom = n",
  ],
  numbers: [
    "n: uint8",
    "n: int8",
    "n: uint16",
    "n: int64",
    "n: bigint",
    "n: float32",
    "n: float64",
    "n: string",
    "n: bool",
  ],
  bounds: [
    "n: int32",
    "n: int32 + minimum = 0",
    "n: int32 + minimum = 1",
    "n: int32 + maximum = 9",
    "n: uint8 + maximum = 9",
    "n: uint8 + maximum = 300",
    "n: int32 + accepts = string",
  ],
  texts: [
    "n: string",
    "n: string + minLength = 1",
    "n: string + maxLength = 4",
    "n: Short",
    "n: Tiny",
    "n: Short + maxLength = 3",
    "n: Long",
    'n: string + pattern = "^[a-c]{1,3}$"',
    'n: string + pattern = "^[a-b]{1,3}$" + minLength = 2',
    'n: string + pattern = "^[a-b]{2,3}$" + maxLength = 2',
    "n: string + normalize = lowercase",
  ],
  types: [
    "n: any",
    "n: timestamp",
    "n: Kind",
    "n: More",
    "n: Size",
    "n: Pet",
    "n: Cat",
    "n: []byte",
    "n: string",
  ],
  containers: [
    "n: []uint8",
    "n: []uint8 + minItems = 1",
    "n: []uint8 + maxItems = 3",
    "n: []Pet",
    "n: map<string,uint8>",
    "n: map<uint8,uint8>",
    "n: map<Kind,uint8>",
    "n: map<More,uint8>",
    "n: map<string,Cat>",
  ],
  methods: [
    {},
    { annotations: "@readonly" },
    { annotations: "@idempotencyKey" },
    { annotations: "@auth:a" },
    { annotations: '@auth:"a,b"' },
    { annotations: '@readonly @cache:"60s"' },
    { stream: true },
    { method: "Renamed" },
    { method: "Renamed", annotations: "@renamedFrom:Do" },
    { service: "Store" },
    { basepath: "/api" },
    { route: "POST /do" },
    { route: "GET /do" },
  ],
};

test.each(Object.entries(grids))("each change of %s", async (name, states) => {
  const partsOf = (state: string | Parts): Parts =>
    typeof state === "string" ? { types, request: state, answer: state } : state;
  const models = states.map((state) => [JSON.stringify(state), modelOf(contract(partsOf(state)))] as const);
  const rulesOf = (before: Model, now: Model, first: "servers" | "callers"): string =>
    findBreaks({ before, now, first })
      .map(({ name: rule, severity, notes }) => {
        const more = notes
          .map(({ message }) => message)
          .filter((text) => !text.startsWith("The earlier version"));
        return [severity === "error" ? `${rule}!` : rule, ...more.map((text) => `(${text})`)].join(" ");
      })
      .join(", ");
  const lines = models.flatMap(([from, before]) =>
    models.map(([to, now]) => {
      const [servers, callers] = [rulesOf(before, now, "servers"), rulesOf(before, now, "callers")];
      return `${from} → ${to}\n  ${servers || "-"}${callers === servers ? "" : `\n  callers first: ${callers || "-"}`}`;
    }),
  );
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(`golden/${name}.txt`);
});

test.each([
  ["an error of a method more", /^"Shop[.]\w+" may return "Busy", which clients do not expect[.]$/],
  ["a declared error more", /^Every method may return "Busy", which/],
  [
    "a new error that one method lists, beside a method without a list",
    /^Every method that lists it, or neither lists errors nor has @noErrors, may return "Busy", which/,
  ],
  ["@noErrors went", /^"Shop[.]Do" may return any error, which/],
  [
    "the last mention of an error went",
    /^No method of the server lists "Busy", so every method may return it/,
  ],
  ["the first mention of an error came", /^Clients expect "Busy" from every method, but/],
])("%s: names are quoted, and phrases are not", (change, message) => {
  const { before, now } = changes.find(({ name }) => name === change) ?? { before: "", now: "" };
  const [found] = findBreaks({ before: modelOf(before), now: modelOf(now), first: "servers" });
  expect(found?.message).toMatch(message);
});

/** Adds unchanged types around a change. They refer to the changed types and to themselves. */
const surroundings = `
struct Around
  - name: string
  - next?: Around
  - all?: map<string,[]Beside>
struct Beside
  - around?: Around
service Surroundings
  - Walk(around: Around) => (around: Around, beside: []Beside)
  - Look(Beside) => (Around)
`;

test.each(changes)(
  "$name: the findings are the same if unchanged declarations are skipped",
  ({ before, now }) => {
    const versions = { before: compiled(before + surroundings), now: compiled(now + surroundings) };
    const models = { before: versions.before.model, now: versions.now.model };
    const unchanged = findUnchanged(versions.now.scope, versions.before.scope);
    expect(unchanged.types.has("Around")).toBe(true);
    for (const first of ["servers", "callers"] as const)
      expect(findBreaks({ ...models, first, unchanged })).toEqual(findBreaks({ ...models, first }));
  },
);

test.each([1, 2, 3, 4, 5, 6])(
  "random edits, seed %i: unchanged declarations are not parsed, and all other findings are the same",
  async (seed) => {
    const random = seededRandom(seed);
    const text = benchSchema({ types: 60, methods: 120 }) + keyed("string", "Type21");
    const [type, value] = [random.pick(["string", "int32"]), random.pick(["Type21", "Type22"])];
    const now = compiled(edited(benchSchema({ types: 60, methods: 120 }), random) + keyed(type, value));
    const reader = memoryReader({ "old/api.ridl": text });
    const { version } = await readEarlierVersion("old/api.ridl", reader, now, {
      fetchMissing: async () => false,
    });
    if (version === undefined) throw new Error("it is not read");
    const before = compile("old/api.ridl", reader).result;
    if (before === undefined) throw new Error("it has a fault");
    expect(version.unchanged.types.size).toBeGreaterThan(10);
    const left = version.compiled.scope.types.filter(
      ({ node }) => node.kind === "struct" && node.fields.length === 0,
    );
    expect(left.length).toBeGreaterThan(5);
    const { services } = version.compiled.scope;
    expect(services.filter(({ node }) => node.methods.length === 1).length).toBeGreaterThan(1);
    for (const first of ["servers", "callers"] as const) {
      const found = findBreaks({ before: before.model, now: now.model, first });
      expect(found.length).toBeGreaterThan(0);
      const { model, unchanged } = version;
      expect(findBreaks({ before: model, now: now.model, first, unchanged }).map(said)).toEqual(
        found.map(said),
      );
    }
  },
);

const pets = "service Pets\n  - Add() errors Gone\n  - Ping() errors Gone\n";
const busyPets = `${pets}  - Buy() errors Busy\n`;

test.each([
  ["the last mention of an error goes", ["Gone | Busy", "Gone"], pets, ["error-unlisted"]],
  ["a mention goes, and another stays", ["Gone | Busy", "Gone"], busyPets, []],
  ["the first mention comes", ["Gone", "Gone | Busy"], pets, ["error-newly-listed"]],
  ["a second mention comes", ["Gone", "Gone | Busy"], busyPets, ["error-unknown"]],
])("%s, beside a service that has not changed and is not read", async (_, [before, after], other, rules) => {
  const text = (list: string): string =>
    `${header}error 1 Gone "gone"\nerror 2 Busy "busy"\nservice Shop\n  - Do() errors ${list}\n${other}`;
  const now = compiled(text(after ?? ""));
  const reader = memoryReader({ "old/api.ridl": text(before ?? "") });
  const { version } = await readEarlierVersion("old/api.ridl", reader, now, {
    fetchMissing: async () => false,
  });
  if (version === undefined) throw new Error("it is not read");
  const { model, unchanged } = version;
  for (const versions of [{ before: model, unchanged }, { before: modelOf(text(before ?? "")) }]) {
    const found = findBreaks({ ...versions, now: now.model, first: "servers" });
    expect(found.map(({ name }) => name)).toEqual(rules);
  }
});

test.each([
  ["in data of an error only", "- Pay(cents: int32)", true],
  ["also in a response", "- Pay(cents: int32) => (limit: Limit)", false],
])("a group that goes %s: a server of both versions omits only data", (_, method, isConvertible) => {
  const text = (line: string): string =>
    `${header}error 1 Busy "busy"\nstruct Limit\n  - a?: int32${line}\n  - b?: int32${line}\ntype BusyData: Limit\n  + errorData = Busy\nservice Shop\n  ${method}\n`;
  const versions = { before: modelOf(text("\n    + oneOf = g")), now: modelOf(text("")) };
  const found = findBreaks({ ...versions, first: "servers" });
  expect(found).toMatchObject([{ name: "response-group-widened", isConvertible, isOmitted: isConvertible }]);
  const note = "Clients of v1.0.0 get the error without data that they cannot read.";
  const notes = found.flatMap((one) =>
    asConverted(one, { version: "v1.0.0", byHand: false }).notes.map(({ message }) => message),
  );
  expect(notes.includes(note)).toBe(isConvertible);
});

const card = "struct Card\n  - number: string\n  - name: string\n";
const change = "type Change: Card\n";
const patch = `${change}  + partial = true\n`;
const picked = `${change}  + pick = number\n`;
const patchOfPicked = "type Picked: Card\n  + pick = number\ntype Change: Picked\n  + partial = true\n";

test.each([
  ["nothing changes", patch, patch, []],
  ["a struct is partial no more", patch, change, ["request-value-rejected"]],
  ["a struct becomes partial", change, patch, ["response-value-unexpected"]],
  ["a struct of one field becomes that of all", picked, change, ["request-value-rejected"]],
  ["a struct of one field becomes partial", picked, patchOfPicked, ["response-field-missing"]],
])("%s, and the struct that it is derived from has not changed", async (_, before, after, rules) => {
  const text = (derived: string): string =>
    `${header}${card}${derived}service Shop\n  - Pay(card: Card)\n  - Set(change: Change) => (change: Change)\n`;
  const now = compiled(text(after));
  const reader = memoryReader({ "old/api.ridl": text(before) });
  const { version } = await readEarlierVersion("old/api.ridl", reader, now, {
    fetchMissing: async () => false,
  });
  if (version === undefined) throw new Error("it is not read");
  const { model, unchanged } = version;
  for (const versions of [{ before: modelOf(text(before)) }, { before: model, unchanged }]) {
    const found = findBreaks({ ...versions, now: now.model, first: "servers" });
    expect(found.map(({ name }) => name)).toEqual(rules);
  }
});

/** Structs that use aliases, some of them of other aliases, and refer to other structs. */
function keyed(type: string, value: string): string {
  return `
type Key: ${type}
type Keys: []Key
type Values: map<string,${value}>
struct Keyed
  - key: Key
  - more?: Keys
struct Held
  - keyed: Keyed
  - values?: Values
service Keeper
  - Keep(held: Held, keys: Keys) => (held: Held)
`;
}

/** A finding, with readable locations. */
function said({ name, message, at, notes }: Diagnostic): unknown {
  const place = (site: Diagnostic["at"]) => site && [site.file.path, site.file.positionAt(site.span.start)];
  return [name, message, place(at), notes.map((note) => [note.message, place(note.at)])];
}

/** Changes the types of twelve lines, and removes one line. */
function edited(text: string, random: ReturnType<typeof seededRandom>): string {
  const lines = text.split("\n");
  const fields = lines.flatMap((line, index) => (/^ {2}- (field|id)/.test(line) ? [index] : []));
  for (let edit = 0; edit < 12; edit++) {
    const index = random.pick(fields);
    const type = random.pick(["bool", "string", "Type11", "[]Type12", "Type10", "map<Type20,int32>"]);
    lines[index] = (lines[index] ?? "").replace(/: [^#]*/, `: ${type} `).trimEnd();
  }
  const third = lines.indexOf("  - THIRD");
  return lines.filter((_, index) => index !== third).join("\n");
}

const header = "webrpc = v1\nname = a\nversion = v1\nbasepath = /rpc\n";

test("comparing two recursive types ends", () => {
  const text = (type: string, age: string): string => `${header}
struct Dog
  - age: int32
  - next?: Dog
  - friends: map<string,Cat>
struct Cat
  - age: ${age}
  - next?: Cat
  - friends: map<string,Dog>
service Pets
  - Add(pet: ${type}) => (pet: ${type})
`;
  const found = (age: string): readonly string[] =>
    findBreaks({
      before: modelOf(text("Dog", age)),
      now: modelOf(text("Cat", age)),
      first: "servers",
    }).map(({ name }) => name);
  expect(found("int32")).toEqual([]);
  expect(found("string")).toEqual(["request-value-rejected", "response-value-unexpected"]);
});

test("types that are reachable in many ways are compared once each", () => {
  const levels = Array.from({ length: 40 }, (_, level) => level);
  const structs = (name: string): string =>
    levels
      .map((level) => `struct ${name}${level}\n  - a?: ${name}${level + 1}\n  - b?: ${name}${level + 1}\n`)
      .join("");
  const text = (type: string): string =>
    `${header}${structs("Old")}struct Old40\n  - age: int32\n${structs("New")}struct New40\n  - age: string\nservice Pets\n  - Add(pet: ${type})\n`;
  const found = findBreaks({ before: modelOf(text("Old0")), now: modelOf(text("New0")), first: "servers" });
  expect(found.map(({ name }) => name)).toEqual(["request-value-rejected"]);
});

test("an edit of a type that forty methods use is one finding, at the type", () => {
  const methods = Array.from(
    { length: 40 },
    (_, index) => `  - Do${index}(pet: Pet, more: []Pet) => (pet: Pet)\n`,
  );
  const text = (type: string): string =>
    `webrpc = v1\nname = a\nversion = v1\nbasepath = /rpc\nstruct Pet\n  - age: ${type}\nservice Pets\n${methods.join("")}`;
  const found = findBreaks({ before: modelOf(text("int32")), now: modelOf(text("int16")), first: "servers" });
  expect(found.map(({ name, at }) => [name, at?.file.positionAt(at.span.start).line])).toEqual([
    ["request-value-rejected", 6],
  ]);
});

describe("a renamed type is recognized", () => {
  const fields = (names: string): string => [...names].map((name) => `  - ${name}?: string\n`).join("");
  /** Structs by name, each with fields of one letter. One request uses all of them. */
  const model = (structs: Readonly<Record<string, string>>): Model =>
    modelOf(
      `${header}${Object.entries(structs)
        .map(([name, names]) => `struct ${name}\n${fields(names)}`)
        .join("")}service Pets\n  - Add(${Object.keys(structs)
        .map((name, index) => `a${index}?: ${name}`)
        .join(", ")})\n`,
    );

  test.each<[string, Record<string, string>, Record<string, string>, [string, string][]]>([
    ["that has all of its fields", { Old: "abcde" }, { New: "abcde" }, [["Old", "New"]]],
    ["that has six of ten fields", { Old: "abcdefghij" }, { New: "abcdefwxyz" }, [["Old", "New"]]],
    ["but not with five of ten fields", { Old: "abcdefghij" }, { New: "abcdevwxyz" }, []],
    ["the one that is more alike", { Old: "abcde" }, { New: "abcdx", Newer: "abcde" }, [["Old", "Newer"]]],
    ["but not if two are as much alike", { Old: "abcde" }, { New: "abcdx", Newer: "abcdy" }, []],
    ["but not if two may have been it", { Old: "abcdx", Older: "abcdy" }, { New: "abcde" }, []],
    [
      "of two the one that is more alike",
      { Old: "abcde", Older: "abcdy" },
      { New: "abcde" },
      [["Old", "New"]],
    ],
  ])("%s", (_, before, now, renamed) => {
    expect([...typeRenames(model(before), model(now))]).toEqual(renamed);
  });

  test.each([
    ["four", "abcdqrstuv", true],
    ["three", "abcpqrstuv", true],
    ["but not with two", "abopqrstuv", false],
  ])("in its place, with %s of ten fields", (_, fields, isRenamed) => {
    const [before, now] = [model({ Old: "abcdefghij" }), model({ New: fields })];
    expect(isRenamedInPlace(before, now, "Old", "New")).toBe(isRenamed);
  });

  test.each([
    [
      "with one of its two fields: each change is reported at its place",
      ["low sort", "LOW type"],
      ["request-enum-value-rejected", "type-renamed", "request-field-required"],
    ],
    [
      "but not with one of four: the field has another type",
      ["low sort", "low type a b"],
      ["request-value-rejected"],
    ],
  ])("in its place, %s", (_, [before = "", now = ""], rules) => {
    const versionOf = (name: string, text: string): Model => {
      const [value, ...fields] = text.split(" ");
      const lines = fields.map((field) => `  - ${field}: string\n`).join("");
      const types = `enum Level: string\n  - ${value}\n  - high\nstruct ${name}\n  - level: Level\n${lines}`;
      return modelOf(contract({ types, request: `pay: ${name}` }));
    };
    const versions = { before: versionOf("Pay", before), now: versionOf("Payment", now) };
    expect(findBreaks({ ...versions, first: "servers" }).map(({ name }) => name)).toEqual(rules);
  });

  test.each([
    [100, 1],
    [101, 0],
  ])("unless there are %i times 100 pairs to compare: %i is found", (count, found) => {
    const many = (prefix: string, length: number): Record<string, string> =>
      Object.fromEntries(
        Array.from({ length }, (_, index) => [`${prefix}${index}`, index === 0 ? "abcde" : ""]),
      );
    expect(typeRenames(model(many("Old", count)), model(many("New", 100))).size).toBe(found);
  });
});
