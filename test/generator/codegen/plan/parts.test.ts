/** The functions of the plan that need no whole schema. */
import { describe, expect, test } from "vitest";
import {
  bigintLiteral,
  docComment,
  literal,
  literalKey,
  literalValue,
} from "../../../../generator/codegen/emit/text.ts";
import { documented, withSentence } from "../../../../generator/codegen/plan/docs.ts";
import { filterModel } from "../../../../generator/codegen/plan/filter.ts";
import { markedFields } from "../../../../generator/codegen/plan/marked-fields.ts";
import {
  camelCase,
  claimName,
  kebabCase,
  memberIdentifier,
  pascalCase,
  propertyKey,
  typeIdentifier,
  valueIdentifier,
  withoutEscape,
} from "../../../../generator/codegen/plan/names.ts";
import { parseValue } from "../../../../generator/codegen/plan/values.ts";
import { compile } from "../../../../generator/language/compile.ts";
import type { IrFilter } from "../../../../generator/language/ir/filter.ts";
import type { Model } from "../../../../generator/language/model/model.ts";
import { memoryReader } from "../../../support/memory-reader.ts";
import { planOf } from "../../../support/sample-plan.ts";

const head = "webrpc = v1\nname = t\nversion = v1\nbasepath = /rpc\n\n";

describe("names", () => {
  test.each([
    ["GetOrders", "getOrders", "GetOrders", "get-orders"],
    ["URLLookup", "urlLookup", "URLLookup", "url-lookup"],
    ["API", "api", "API", "api"],
    ["v1/Example", "v1Example", "V1Example", "v1-example"],
    ["user-name", "userName", "UserName", "user-name"],
    ["a_b", "a_b", "A_b", "a_b"],
    ["1st", "_1st", "_1st", "_1st"],
    ["/", "_", "_", "_"],
    ["Con", "con", "Con", "con-service"],
    ["Lpt1", "lpt1", "Lpt1", "lpt1-service"],
    ["Lpt10", "lpt10", "Lpt10", "lpt10"],
  ])("%s is %s, %s and %s", (name, camel, pascal, kebab) => {
    expect([camelCase(name), pascalCase(name), kebabCase(name)]).toEqual([camel, pascal, kebab]);
  });

  test.each([
    ["Map", "Map$", "map", "map"],
    ["pet", "Pet", "pet", "pet"],
    ["Delete", "Delete", "delete$", "delete"],
    ["Then", "Then", "then$", "then$"],
    ["ToString", "ToString", "toString$", "toString$"],
    ["Constructor", "Constructor", "constructor$", "constructor$"],
    ["IsNaN", "IsNaN", "isNaN$", "isNaN"],
    ["Await", "Await", "await$", "await"],
  ])("%s is the type %s, the function %s and the method %s", (name, type, value, member) => {
    expect([typeIdentifier(name), valueIdentifier(name), memberIdentifier(name)]).toEqual([
      type,
      value,
      member,
    ]);
  });

  test("a name that is taken gets a number from 2", () => {
    const taken = new Set<string>();
    expect([1, 2, 3].map(() => claimName("Ping", taken))).toEqual(["Ping", "Ping2", "Ping3"]);
    expect([
      withoutEscape("Map$"),
      withoutEscape("Map"),
      propertyKey("a$_1"),
      propertyKey("1a"),
      propertyKey("a-b"),
    ]).toEqual(["Map", "Map", "a$_1", '"1a"', '"a-b"']);
  });
});

describe("documentation", () => {
  test.each<[readonly string[], string | undefined, object]>([
    [[], undefined, { docs: [] }],
    [["A."], undefined, { docs: ["A."] }],
    [[], "gone", { docs: [], deprecated: "gone" }],
    [["A.", "", "Deprecated: use B"], undefined, { docs: ["A."], deprecated: "use B" }],
    [["@deprecated use B", "A."], undefined, { docs: ["A."], deprecated: "use B" }],
    [["  @deprecated"], undefined, { docs: [], deprecated: "" }],
    [["Not @deprecated"], undefined, { docs: ["Not @deprecated"] }],
    [["@deprecatedly"], undefined, { docs: ["@deprecatedly"] }],
    [["Deprecated: old", "A."], "new", { docs: ["A."], deprecated: "new" }],
  ])("%j with the reason %j", (lines, reason, expected) => {
    expect(documented(lines, reason)).toEqual(expected);
  });

  test.each([
    [[], ["S."]],
    [["A."], ["A. S."]],
    [["A"], ["A", "", "S."]],
    [["A.  "], ["A. S."]],
    [[`${"x".repeat(96)}.`], [`${"x".repeat(96)}. S.`]],
    [[`${"x".repeat(97)}.`], [`${"x".repeat(97)}.`, "S."]],
  ])("a sentence is added to %j", (docs, expected) => {
    expect(withSentence(docs, "S.")).toEqual(expected);
  });

  test.each<[readonly string[], string | undefined, string]>([
    [[], undefined, ""],
    [["A"], undefined, "  /** A */\n"],
    [["A", "", "B"], undefined, "  /**\n   * A\n   *\n   * B\n   */\n"],
    [["A"], "b", "  /**\n   * A\n   * @deprecated b\n   */\n"],
    [[], "", "  /** @deprecated */\n"],
    [["a */ b"], undefined, "  /** a *\\/ b */\n"],
    [["a\u2028b"], undefined, "  /**\n   * a\n   * b\n   */\n"],
  ])("the comment of %j, deprecated %j", (docs, deprecated, expected) => {
    expect(
      docComment(deprecated === undefined ? { docs } : { docs, deprecated }, "  ").replace(
        "@deprecated  */",
        "@deprecated */",
      ),
    ).toBe(expected);
  });

  test.each<[unknown, string]>([
    ['say "hi"', '"say \\"hi\\""'],
    ["a\u2028\u2029", '"a\\u2028\\u2029"'],
    ["é", '"é"'],
    [{ a: [1, "b"], "c-d": null }, '{ a: [1, "b"], "c-d": null }'],
    [{}, "{}"],
    [[], "[]"],
    [5n, "BigInt(5)"],
    [9007199254740992n, 'BigInt("9007199254740992")'],
  ])("%o is the literal %s", (value, expected) => {
    expect(literalValue(value as never)).toBe(expected);
  });

  test("a key cannot set the prototype", () => {
    expect([literalKey("__proto__"), literalKey("a"), literal("a"), bigintLiteral(-1n)]).toEqual([
      '["__proto__"]',
      "a",
      '"a"',
      "BigInt(-1)",
    ]);
  });
});

const schema = `${head}error 1 Gone "gone"
enum Kind: string
  - cat
enum Key: string
  - a
struct Used
  - keys: map<Key,[]Inner>
struct Inner
  - kind: Kind
struct Other
  - secret: string
    + secret = true
  - tagged: []Tag
  - plain: string
    + alias = clear
type Tag: string
  + pii = true
service A
  @internal - One(used: Used) => () errors Gone
  @auth:"jwt" - Two() => (other: Other)
service B
  @auth:"jwt" @internal - Three() => ()
`;

function modelOf(): Model {
  const { result, diagnostics } = compile("m.ridl", memoryReader({ "m.ridl": schema }));
  if (result === undefined) throw new Error(diagnostics[0]?.message);
  return result.model;
}

describe("a filter", () => {
  const all = ["A.One", "A.Two", "B.Three"];

  test.each<[IrFilter, readonly string[]]>([
    [{}, all],
    [{ services: [] }, all],
    [{ services: ["B"] }, ["B.Three"]],
    [{ match: new Map([["internal", ""]]) }, ["A.One", "B.Three"]],
    [{ match: new Map([["internal", "  "]]) }, ["A.One", "B.Three"]],
    [{ match: new Map([["auth", "jwt"]]) }, ["A.Two", "B.Three"]],
    [{ match: new Map([["auth", "key"]]) }, []],
    [{ ignore: new Map([["internal", ""]]) }, ["A.Two"]],
    [{ ignore: new Map([["internal", "x"]]) }, all],
    [{ ignore: new Map([["internal", ""]]), match: new Map([["auth", ""]]) }, ["A.Two"]],
  ])("%o keeps %j", (filter, names) => {
    const { services, version } = filterModel(modelOf(), filter);
    expect(
      services.flatMap((service) => service.methods.map(({ name }) => `${service.name}.${name}`)),
    ).toEqual(names);
    expect(version).toBe("v1");
  });

  test.each<[IrFilter, readonly string[]]>([
    [{ methodTreeShake: true }, ["Kind", "Key", "Used", "Inner", "Other", "Tag"]],
    [{ methodTreeShake: true, services: ["B"] }, []],
    [
      { methodTreeShake: true, services: ["A"], match: new Map([["internal", ""]]) },
      ["Kind", "Key", "Used", "Inner"],
    ],
    [{ methodTreeShake: true, services: ["A"], ignore: new Map([["internal", ""]]) }, ["Other", "Tag"]],
    [{ services: ["B"] }, ["Kind", "Key", "Used", "Inner", "Other", "Tag"]],
  ])("%o keeps the types %j", (filter, names) => {
    expect([...filterModel(modelOf(), filter).types.map(({ name }) => name)].sort()).toEqual(
      [...names].sort(),
    );
  });

  test("sets the version, and keeps the errors that methods still list", () => {
    const { version, services } = filterModel(modelOf(), {
      schemaVersion: "v9",
      ignore: new Map([["internal", ""]]),
    });
    expect([version, services.map(({ listedErrors }) => listedErrors)]).toEqual(["v9", [[], []]]);
  });
});

test("marked fields are listed with all their names", () => {
  expect(markedFields(planOf({ "m.ridl": schema }, "m.ridl"))).toEqual(["secret", "tagged"]);
});

const types = planOf({ "m.ridl": schema }, "m.ridl").finder;
const core = (name: string) => ({ kind: "core", name }) as never;

test.each<[string, object, unknown]>([
  ["5", core("int8"), 5],
  ["5.5", core("int8"), undefined],
  ["9007199254740992", core("int64"), undefined],
  ["5.5", core("float64"), 5.5],
  ["1e999", core("float64"), undefined],
  ["true", core("bool"), true],
  ["1", core("bool"), undefined],
  ["-05", core("bigint"), "-5"],
  ["5.5", core("bigint"), undefined],
  ["5", core("string"), "5"],
  ["null", core("null"), null],
  ["nil", core("null"), undefined],
  ["{}", core("any"), {}],
  ["x", core("any"), "x"],
  ["cat", { kind: "enum", name: "Kind" }, "cat"],
  ["dog", { kind: "enum", name: "Kind" }, undefined],
  ["", { kind: "list", element: core("string") }, []],
  ["[1]", { kind: "list", element: core("int8") }, [1]],
  ["{}", { kind: "list", element: core("int8") }, undefined],
  ["AA==", { kind: "list", element: core("byte") }, "AA=="],
  ["", { kind: "struct", name: "Used" }, {}],
  ['{"a":1}', { kind: "struct", name: "Used" }, { a: 1 }],
  ["[]", { kind: "struct", name: "Used" }, undefined],
  ["null", { kind: "struct", name: "Used" }, undefined],
])("the value %j of %j is %j", (text, type, expected) => {
  expect(parseValue(text, type as never, types)).toEqual(expected);
});
