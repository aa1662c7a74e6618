import { describe, expect, test } from "vitest";
import { compile, sortDiagnostics } from "../../../../generator/language/compile.ts";
import { type Diagnostic, diagnose } from "../../../../generator/language/diagnostics/diagnostic.ts";
import { suggest } from "../../../../generator/language/diagnostics/suggest.ts";
import { credentialNames } from "../../../../generator/language/model/annotations.ts";
import { SourceFile } from "../../../../generator/language/source/source-file.ts";
import { findings } from "../../../support/marked.ts";
import { memoryReader } from "../../../support/memory-reader.ts";
import { planOf } from "../../../support/sample-plan.ts";

const header = "webrpc = v1\nname = t\nversion = v1\nbasepath = /rpc\n";
const codes = (body: string): string[] => findings(body).map(({ code }) => code);
const field = (type: string, ...meta: readonly string[]): string =>
  `struct T\n - a: ${type}\n${meta.map((line) => `   + ${line}\n`).join("")}`;

describe("numbers of errors", () => {
  test.each([
    [399, ["RK320"]],
    [400, []],
    [599, []],
    [600, ["RK320"]],
  ])("status %i: %j", (status, found) => {
    expect(codes(`error 1 Lost "m" HTTP ${status}\n`)).toEqual(found);
  });

  test.each([
    ["0", ["RK317"]],
    ["1", []],
    ["2147483647", []],
    ["2147483648", ["RK318"]],
  ])("code %s: %j", (code, found) => {
    expect(codes(`error ${code} Lost "m"\n`)).toEqual(found);
  });
});

test.each([
  ["365d", "366d"],
  ["8760h", "8761h"],
  ["525600m", "525601m"],
  ["31536000s", "31536001s"],
])("responses may be cached for %s, and not for %s", (longest, longer) => {
  const found = (time: string): string[] => codes(`service S\n @readonly @cache:"${time}"\n - M()\n`);
  expect(found("0s")).toEqual([]);
  expect(found(longest)).toEqual([]);
  expect(found(longer)).toEqual(["RK371"]);
});

test.each([
  ["uint8", "-1", "0", "255", "256"],
  ["uint16", "-1", "0", "65535", "65536"],
  ["uint32", "-1", "0", "4294967295", "4294967296"],
  ["uint64", "-1", "0", "18446744073709551615", "18446744073709551616"],
  ["uint", "-1", "0", "18446744073709551615", "18446744073709551616"],
  ["int8", "-129", "-128", "127", "128"],
  ["int16", "-32769", "-32768", "32767", "32768"],
  ["int32", "-2147483649", "-2147483648", "2147483647", "2147483648"],
  ["int64", "-9223372036854775809", "-9223372036854775808", "9223372036854775807", "9223372036854775808"],
  ["int", "-9223372036854775809", "-9223372036854775808", "9223372036854775807", "9223372036854775808"],
])("values of an enum of %s are %s < %s to %s < %s", (base, below, low, high, above) => {
  // RIDL has no minus sign here.
  const yaml = "webrpc: v1\nname: t\nversion: v1\nbasepath: /rpc\n";
  const found = (value: string): string[] => {
    const text = `${yaml}types:\n  E: { enum: ${base}, values: { x: ${value} } }\n`;
    return compile("m.yaml", memoryReader({ "m.yaml": text })).diagnostics.map(({ code }) => code);
  };
  expect([below, low, high, above].map(found)).toEqual([["RK334"], [], [], ["RK334"]]);
});

test.each([
  ["byte", "-1", "0", "255", "256"],
  ["uint8", "-1", "0", "255", "256"],
  ["uint16", "-1", "0", "65535", "65536"],
  ["uint32", "-1", "0", "4294967295", "4294967296"],
  ["uint64", "-1", "0", "9007199254740991", "9007199254740992"],
  ["int8", "-129", "-128", "127", "128"],
  ["int16", "-32769", "-32768", "32767", "32768"],
  ["int32", "-2147483649", "-2147483648", "2147483647", "2147483648"],
  ["int64", "-9007199254740992", "-9007199254740991", "9007199254740991", "9007199254740992"],
  ["float32", "-3.4028235e38", "-3.4028234663852886e38", "3.4028234663852886e38", "3.4028235e38"],
  ["float64", "-1e309", "-1.7976931348623157e308", "1.7976931348623157e308", "1e309"],
])("defaults of %s are %s < %s to %s < %s", (type, below, low, high, above) => {
  const found = (value: string): string[] => codes(field(type, `default = ${value}`));
  expect([below, low, high, above].map(found)).toEqual([["RK408"], [], [], ["RK408"]]);
});

test.each([
  ["minimum", "maximum", "int"],
  ["minLength", "maxLength", "string"],
  ["minItems", "maxItems", "[]int"],
])("%s may be %s, and not more", (low, high, type) => {
  const found = (least: number, most: number): string[] =>
    codes(field(type, `${low} = ${least}`, `${high} = ${most}`));
  expect(found(4, 5)).toEqual([]);
  expect(found(5, 5)).toEqual([]);
  expect(found(6, 5)).toContain("RK405");
});

test.each([
  ["uint8", "minimum", "254", "255", "256"],
  ["uint8", "maximum", "1", "0", "-1"],
  ["int32", "maximum", "-2147483647", "-2147483648", "-2147483649"],
  ["uint32", "minimum", "1", "4294967295.0", "4294967295.5"],
  ["uint64", "minimum", "1", "18446744073709551615", "18446744073709551616"],
  ["int64", "maximum", "1", "-9223372036854775808", "-9223372036854775809"],
  ["float32", "minimum", "1", "3.4028234663852886e38", "3.4028235e38"],
  ["float32", "maximum", "1", "-3.4028234663852886e38", "-3.4028235e38"],
])("a %s meets %s = %s and %s, and not %s", (type, key, inside, last, outside) => {
  const found = (limit: string): string[] => codes(field(type, `${key} = ${limit}`));
  expect([inside, last, outside].map(found)).toEqual([[], [], ["RK405"]]);
});

test.each([
  ["uint8", "1.5", "2", []],
  ["uint8", "1.5", "1.9", ["RK405"]],
  ["float64", "1.5", "1.9", []],
  ["uint64", "9007199254740993", "9007199254740993", []],
  ["uint64", "9007199254740993", "9007199254740992", ["RK405"]],
])("some %s is from %s to %s: %j", (type, low, high, found) => {
  expect(codes(field(type, `minimum = ${low}`, `maximum = ${high}`))).toEqual(found);
});

test("the last of two json keys sets the wire name", () => {
  const body = `${field("int", "json = first", "json = last")}service S\n - M(t: T)\n`;
  expect(codes(body)).toEqual(["RK404"]);
  const plan = planOf(
    { "m.ridl": `webrpc = v1\nname = t\nversion = v1\nbasepath = /rpc\n${body}` },
    "m.ridl",
  );
  const struct = plan.types.find(({ name }) => name === "T");
  expect(struct?.kind === "struct" && struct.fields.map(({ wireName }) => wireName)).toEqual(["last"]);
});

test.each([
  ["first", ["RK404"]],
  ["last", ["RK404", "RK313"]],
])("beside the json keys first and last, a field called %s is reported as %j", (name, found) => {
  expect(codes(`${field("int", "json = first", "json = last")} - ${name}: int\n`)).toEqual(found);
});

const kinds = "enum Kind: string\n - a\n - b\n";

test.each([
  ["needed", " - next: Node\n", ["RK337"]],
  ["optional", " - next?: Node\n", []],
  ["nullable", " - next: Node\n   + nullable = always\n", []],
  ["in a list", " - next: []Node\n", []],
  ["in a map", " - next: map<string,Node>\n", []],
  ["in a list that is not empty", " - next: []Node\n   + minItems = 1\n", ["RK337"]],
  ["in a group beside a text", " - next?: Node\n   + oneOf = kind\n - end?: string\n   + oneOf = kind\n", []],
  [
    "in every field of a group",
    " - next?: Node\n   + oneOf = kind\n - last?: End\n   + oneOf = kind\nstruct End\n - node: Node\n",
    ["RK337"],
  ],
  [
    "below another struct in a group",
    " - next?: Next\n   + oneOf = kind\n - last?: Next\n   + oneOf = kind\nstruct Next\n - text?: string\n   + oneOf = kind\n - node?: Node\n   + oneOf = kind\n",
    [],
  ],
  ["of one kind beside another", ` - k: Kind\n - next?: Node\n   + when = k.a\n${kinds}`, []],
  ["optional for a kind", ` - k: Kind\n - next?: Node\n   + when = k.a\n   + when = k.b?\n${kinds}`, []],
  ["of every kind", ` - k: Kind\n - next?: Node\n   + when = k.a\n   + when = k.b\n${kinds}`, ["RK337"]],
  [
    "behind one of the fields of each kind",
    ` - k: Kind\n - text?: string\n   + when = k.a\n - last?: End\n   + when = k.a\n - next?: Node\n   + when = k.b\n${kinds}struct End\n - node: Node\n`,
    ["RK337"],
  ],
  [
    "of another struct's kind",
    ` - k: Kind\n - other?: Other\n   + when = k.a\n   + when = k.b\n${kinds}struct Other\n - k: Kind\n - node?: Node\n   + when = k.a\n`,
    [],
  ],
  [
    "of every kind, and derived",
    ` - k: Kind\n - x: int\n - next?: New\n   + when = k.a\n   + when = k.b\n${kinds}type New: Node\n + omit = x\n`,
    ["RK337"],
  ],
])("a struct in itself that is %s", (_, next, found) => {
  expect(codes(`struct Node\n${next}`)).toEqual(found);
});

test.each([1, 2, 5, 6])("a cycle of %i structs shows at most five fields", (length) => {
  const body = Array.from(
    { length },
    (_, index) => `struct S${index}\n - next: S${(index + 1) % length}\n`,
  ).join("");
  const { diagnostics } = compile("m.ridl", memoryReader({ "m.ridl": header + body }));
  expect(diagnostics.map(({ code, notes }) => [code, notes.length])).toEqual([
    ["RK337", Math.min(length, 5)],
  ]);
});

test.each([
  [undefined, []],
  ["", []],
  ["a", ["a"]],
  ["a,b", ["a", "b"]],
  ["a, b", ["a", "b"]],
  [" a ,\tb ,", ["a", "b"]],
])("the credentials of @auth:%j are %j", (auth, names) => {
  expect(credentialNames(auth)).toEqual(names);
});

describe("the nearest name", () => {
  test.each([
    // Two swapped neighbors count as one mistake, in any position.
    ["Ues", ["Use"], "Use"],
    ["sUe", ["Use"], "Use"],
    ["Use", ["Sue"], "Sue"],
    // A word of three letters may have one mistake, one of four letters two.
    ["abc", ["abd"], "abd"],
    ["abc", ["ade"], undefined],
    ["abcd", ["abef"], "abef"],
    ["abcd", ["aefg"], undefined],
    // Four mistakes in ten letters are accepted, five are not.
    ["abcdefghij", ["abcdefwxyz"], "abcdefwxyz"],
    ["abcdefghij", ["abcdevwxyz"], undefined],
    // A single letter may differ only in case.
    ["a", ["A"], "A"],
    ["a", ["b"], undefined],
    ["a", ["ab"], undefined],
  ])("of %j among %j is %j", (word, options, found) => {
    expect(suggest(word, options)).toBe(found);
  });
});

describe("at most 100 diagnostics", () => {
  const file = new SourceFile("m.ridl", "x".repeat(300));
  const found = (severity: Diagnostic["severity"], count: number, from = 0): Diagnostic[] =>
    Array.from({ length: count }, (_, index) => ({
      ...diagnose(
        "unknown-type",
        { name: `N${from + index}` },
        { file, span: { start: from + index, end: from + index + 1 } },
      ),
      severity,
    }));
  const hidden = (all: readonly Diagnostic[]): string | undefined =>
    sortDiagnostics(all).find(({ name }) => name === "too-many")?.message;

  test.each([
    [99, 99, undefined],
    [100, 100, undefined],
    [101, 101, "1"],
    [150, 101, "50"],
  ])("%i become %i", (count, shown, rest) => {
    const all = found("error", count);
    expect(sortDiagnostics(all)).toHaveLength(shown);
    if (rest === undefined) expect(hidden(all)).toBeUndefined();
    else expect(hidden(all)).toContain(rest);
  });

  test.each([
    [1, 100],
    [99, 100],
    [100, 100],
    [101, 100],
  ])("%i errors behind 100 warnings are shown", (errors, warnings) => {
    const shown = sortDiagnostics([...found("warning", warnings), ...found("error", errors, warnings)]);
    const counted = shown.filter(({ name }) => name !== "too-many");
    expect(counted).toHaveLength(100);
    expect(counted.filter(({ severity }) => severity === "error")).toHaveLength(Math.min(errors, 100));
    expect(shown.at(-1)).toMatchObject({ name: "too-many", severity: "error" });
  });
});
