import { describe, expect, test } from "vitest";
import { compile } from "../../../../generator/language/compile.ts";
import type { Diagnostic } from "../../../../generator/language/diagnostics/diagnostic.ts";
import { applyFixes } from "../../../../generator/language/fixes.ts";
import { knownFormats } from "../../../../generator/language/model/meta/keys.ts";
import { memoryReader } from "../../../support/memory-reader.ts";
import { withSuggestions } from "../../../support/suggestions.ts";

const header = "webrpc = v1\nname = t\nversion = v1\nbasepath = /rpc\n";

function ridl(type: string, line: string, options = {}): readonly Diagnostic[] {
  const text = `${header}struct S\n  - a: ${type}\n    + ${line}\nstruct T\n  - a: int\n`;
  return compile("m.ridl", memoryReader({ "m.ridl": text }), options).diagnostics;
}

function yaml(type: string, key: string, value: string, place: "beside" | "meta"): readonly Diagnostic[] {
  const keys = place === "beside" ? `${key}: ${value}` : `meta: { ${key}: ${value} }`;
  const text = `webrpc: v1\nname: t\nversion: v1\ntypes:\n  S: { fields: { a: { ${keys}, type: "${type}" } } }\n  T: { fields: { a: int } }\n`;
  return compile("m.yaml", memoryReader({ "m.yaml": text })).diagnostics;
}

/** Keys of other libraries, with the type of their field, and what the advice names. */
const foreign: readonly (readonly [key: string, type: string, ...named: readonly string[]])[] = [
  ["min", "uint8", '"minimum"'],
  ["min", "string", '"minLength"'],
  ["min", "[]string", '"minItems"'],
  ["min", "map<string,int>", '"minItems"'],
  ["min", "bool", "handler"],
  ["max", "float64", '"maximum"'],
  ["max", "string", '"maxLength"'],
  ["gte", "int", '"minimum"'],
  ["lte", "int", '"maximum"'],
  ["gt", "int", "inclusive", '"minimum"'],
  ["exclusiveMaximum", "int", "inclusive", '"maximum"'],
  ["len", "string", '"minLength" and "maxLength"'],
  ["length", "[]string", '"minItems" and "maxItems"'],
  ["size", "string", '"minLength" and "maxLength"'],
  ["min_len", "string", '"minLength"'],
  ["max_items", "[]int", '"maxItems"'],
  ["MinLength", "string", '"minLength"'],
  ["regex", "string", '"pattern"'],
  ["regexp", "string", '"pattern"'],
  ["matches", "string", '"pattern"'],
  ["required", "string", '"?"'],
  ["optional", "string", '"?"'],
  ["omitempty", "string", '"?"'],
  ["unique", "[]string", "handler"],
  ["uniqueItems", "[]string", "handler"],
  ["multipleOf", "int", "handler"],
  ["enum", "string", "enum"],
  ["oneof", "string", "enum"],
  ["title", "string", "comment"],
  ["description", "string", "comment"],
  ["email", "string", '"format"', '"email"'],
  ["datetime", "string", '"date-time"'],
  ["validate", "string", "minLength", "go.tag.validate"],
  ["name", "string", '"json"'],
  ["json_name", "string", '"json"'],
  ["defaultValue", "string", '"default"'],
  ["examples", "string", '"example"'],
  ["sensitive", "string", '"secret"'],
  ["obsolete", "string", '"deprecated"'],
  ["lowercase", "string", '"normalize"', '"lowercase"'],
  ["readOnly", "string", '"omit"'],
  ["minLenght", "string", '"minLength"'],
  ["color", "string", "dot"],
];

describe.each([
  ["default.Empty", 'Did you mean "default.empty"?'],
  ["default.emtpy", 'Did you mean "default.empty"?'],
  ["defualt.empty", 'Did you mean "default.empty"?'],
  ["default.none", 'Did you mean "default.empty"?'],
  ["default.", 'Did you mean "default"?'],
  ["foo.", "dot"],
  ["a..b", "dot"],
  ["json.name", "dot"],
])("the key %s, with a dot", (key, advice) => {
  test("is a warning in both languages", () => {
    const found = [ridl("string", `${key} = true`), yaml("string", key, "true", "beside")];
    for (const one of [...found, yaml("string", key, "true", "meta")])
      expect(one).toMatchObject([{ code: "RK401", advice: expect.stringContaining(advice) }]);
  });
});

test.each(["go.tag.json", "a.b", "js.default.empty"])("the key %s belongs to another tool", (key) => {
  expect(ridl("string", `${key} = true`)).toEqual([]);
  expect(yaml("string", key, "true", "beside")).toEqual([]);
});

describe.each(foreign)("%s on %s", (key, type, ...named) => {
  test("is a warning in RIDL, with advice, and an error under strict", () => {
    const [found, ...more] = ridl(type, `${key} = 3`);
    expect([found?.code, found?.severity, more]).toEqual(["RK401", "warning", []]);
    for (const word of named) expect(found?.advice).toContain(word);
    expect(ridl(type, `${key} = 3`, { strict: true }).map(({ severity }) => severity)).toEqual(["error"]);
  });

  test("has the same advice in YAML: an error beside the type, a warning below meta", () => {
    const advice = ridl(type, `${key} = 3`)[0]?.advice;
    const beside = yaml(type, key, "3", "beside").filter(({ code }) => code === "RK611");
    expect(beside).toMatchObject([{ severity: "error", advice }]);
    expect(yaml(type, key, "3", "meta")).toMatchObject([{ code: "RK401", severity: "warning", advice }]);
  });
});

test.each([
  ["string", "min = 3", "+ minLength = 3"],
  ["string", "min = three", undefined],
  ["string", "regex = ^a+$", "+ pattern = ^a+$"],
  ["string", "regex = a(", undefined],
  ["string", "min = 3\n    + minLength = 4", undefined],
  ["string", "len = 3", undefined],
  ["string", "oneof = kind", "+ oneOf = kind"],
  ["string", "oneof = a,b", undefined],
  ["string", "positive = true", undefined],
])("the suggestion for %s with %s renames the key if its meaning is kept", (type, line, fixed) => {
  const found = ridl(type, line).filter(({ code }) => code === "RK401");
  expect(found.map(({ suggestion }) => suggestion !== undefined)).toEqual([fixed !== undefined]);
  if (fixed !== undefined) expect(applyFixes(withSuggestions(found)).files[0]?.text).toContain(fixed);
});

test("a key of aliases on a field names its place", () => {
  expect(ridl("string", "branded = true")[0]?.advice).toBe('Write "brand" below a type alias.');
});

test("a key on a type that is declared elsewhere gets the advice for its shape, or for all", () => {
  expect(ridl("T", "min = 3")[0]?.advice).toContain("handler");
  expect(yaml("T", "min", "3", "beside")[0]?.advice).toBe('Write "minimum", "minLength" or "minItems".');
});

describe("invalid values of known keys", () => {
  test.each([
    ["int", "minimum = low", "RK402"],
    ["float64", "minimum = 1e400", "RK402"],
    ["string", "maxLength = -1", "RK402"],
    ["string", "pattern = ^[a-z", "RK402"],
    ["string", "nullable = true", "RK402"],
    ["string", "secret = yes", "RK402"],
    ["int", "pattern = a", "RK403"],
    ["int", "minimum = 3\n    + maximum = 2", "RK405"],
    ["int", "alias = b\n  - b: int", "RK406"],
  ])("are errors, and warnings where webrpc's command line is served: %s with %s", (type, line, code) => {
    expect(ridl(type, line)).toMatchObject([{ code, severity: "error" }]);
    expect(ridl(type, line, { lenient: true })).toMatchObject([{ code, severity: "warning" }]);
  });

  test("are also empty texts", () => {
    expect(yaml("string", "message", '""', "beside")).toMatchObject([
      { code: "RK402", message: '"message" takes a text, found "".' },
    ]);
  });

  test("state the range of a default, and what holds more", () => {
    expect(ridl("uint64", "default = 9007199254740993")).toMatchObject([
      {
        message: 'The default of uint64 must be a whole number from 0 to 2^53 - 1, found "9007199254740993".',
        advice: "JSON numbers are exact only in this range; for larger values, use bigint.",
      },
    ]);
    expect(ridl("bigint", "default = 9007199254740993")).toEqual([]);
  });
});

describe("formats", () => {
  test.each([...knownFormats, "x-sku", "acme.sku"])("%s is accepted", (format) => {
    expect(ridl("string", `format = ${format}`, { strict: true })).toEqual([]);
  });

  test.each([
    ["emial", 'Did you mean "email"?'],
    ["our-own", "pattern"],
    ["url", 'Did you mean "uri"?'],
    ["Email", 'Did you mean "email"?'],
  ])("%s is reported", (format, advice) => {
    const found = ridl("string", `format = ${format}`);
    expect(found).toMatchObject([{ code: "RK409", severity: "warning" }]);
    expect(found[0]?.advice).toContain(advice);
  });
});
