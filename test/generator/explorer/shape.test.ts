import { describe, expect, test } from "vitest";
import {
  type IrMethod,
  type IrType,
  readSchema,
  type Schema,
} from "../../../generator/explorer/page/schema/ir.ts";
import {
  bodyShape,
  entryOf,
  hasFiles,
  metaOf,
  shapeOf,
} from "../../../generator/explorer/page/schema/shape.ts";
import { ir, method, schema, use } from "./contract.ts";

describe("the shape of a type", () => {
  test.each<[string, object]>([
    ["string", { kind: "text" }],
    ["bool", { kind: "bool" }],
    ["byte", { kind: "integer" }],
    ["uint64", { kind: "integer" }],
    ["float32", { kind: "decimal" }],
    ["bigint", { kind: "bigint" }],
    ["timestamp", { kind: "timestamp" }],
    ["null", { kind: "null" }],
    ["any", { kind: "any" }],
    ["file", { kind: "file" }],
    ["Gone", { kind: "any" }],
    ["[]byte", { kind: "text", meta: { contentEncoding: "base64" } }],
    [" []Kind", { kind: "list", item: { type: "Kind" } }],
    ["[][]byte", { kind: "list", item: { type: "[]byte" } }],
    ["map<string,[]Pet>", { kind: "map", key: { type: "string" }, value: { type: "[]Pet" } }],
    ["map<string, map<Kind,int>>", { kind: "map", value: { type: "map<Kind,int>" } }],
    ["Empty", { kind: "struct", name: "Empty", fields: [] }],
    ["Short", { kind: "text", meta: { maxLength: "5", example: "ab" } }],
    ["Shorter", { kind: "text", meta: { maxLength: "3", example: "ab" } }],
    ["Kind", { kind: "enum", values: [{ wire: "unknown" }, { wire: "cat" }, { wire: "DOG" }] }],
    ["Size", { kind: "enum", values: [{ wire: "small" }, { wire: "L" }] }],
    [
      "Pet",
      {
        kind: "struct",
        fields: [
          { name: "id", isOptional: false, reference: { type: "uint64", meta: { minimum: "1" } } },
          { name: "nickName", isOptional: false },
          { name: "plain", isOptional: true },
          { name: "kind", isOptional: false },
          { name: "friends", isOptional: true },
        ],
      },
    ],
  ])("%s", (type, expected) => {
    expect(use(type)).toMatchObject(expected);
  });

  test("the keys of a field go before those of its aliases", () => {
    expect(use("Shorter", { maxLength: "1" }).meta).toEqual({ maxLength: "1", example: "ab" });
    expect(use("[]byte", { contentEncoding: "hex" }).meta).toEqual({ contentEncoding: "hex" });
  });

  test("chains of aliases are followed to their end, and circles end", () => {
    const chain = Array.from({ length: 201 }, (_, index): IrType => {
      const type = index === 200 ? "string" : `A${index + 1}`;
      return { kind: "alias", name: `A${index}`, type };
    });
    const circle: readonly IrType[] = [
      { kind: "alias", name: "B0", type: "B1" },
      { kind: "alias", name: "B1", type: "B0" },
    ];
    const schema = readSchema({ ...ir, types: [...chain, ...circle] });
    expect(shapeOf(schema, { type: "A0", meta: {} }).kind).toBe("text");
    expect(shapeOf(schema, { type: "B0", meta: {} }).kind).toBe("any");
  });

  test("the first of repeated keys counts", () => {
    expect(metaOf([{ a: "1" }, { b: "2", a: "3" }])).toEqual({ a: "1", b: "2" });
    expect(metaOf(undefined)).toEqual({});
  });

  test.each([
    ["map<string,int>", ["string", "int"]],
    ["map<string>", undefined],
    ["maps<string,int>", undefined],
  ])("the entries of %s", (type, expected) => {
    expect(entryOf(type)).toEqual(expected);
  });
});

describe("the body of a method", () => {
  const fields = (more: Partial<IrMethod>): readonly string[] => {
    const one = method("M", more);
    return bodyShape(schema, one, one.inputs).fields.map(
      ({ name, isOptional }) => `${name}${isOptional ? "?" : ""}`,
    );
  };

  test.each<[string, Partial<IrMethod>, readonly string[]]>([
    ["arguments", {}, ["pet"]],
    ["an optional argument", { inputs: [{ name: "a", type: "string", optional: true }] }, ["a?"]],
    ["none", { inputs: [] }, []],
    ["a succinct struct", { succinct: true }, ["id", "nickName", "plain?", "kind", "friends?"]],
    ["a succinct form of another type", { succinct: true, inputs: [{ name: "a", type: "Kind" }] }, ["a"]],
    ["a succinct form of nothing", { succinct: true, inputs: [] }, []],
  ])("has %s", (_case, more, expected) => {
    expect(fields(more)).toEqual(expected);
  });

  const withFiles = (fieldType: string): Schema =>
    readSchema({
      ...ir,
      types: [
        { kind: "struct", name: "Form", fields: [{ name: "f", type: fieldType }] },
        { kind: "struct", name: "Outer", fields: [{ name: "form", type: "Form" }] },
        { kind: "struct", name: "Outermost", fields: [{ name: "outer", type: "Outer" }] },
      ],
    });

  test.each([
    ["file", "Form", true],
    ["[]file", "Form", true],
    ["string", "Form", false],
    ["file", "Outer", true],
    ["[]file", "Outer", true],
    ["file", "Outermost", false],
    ["Form", "Form", false],
  ])("a field of type %s in %s is sent in a form: %s", (fieldType, type, expected) => {
    const own = withFiles(fieldType);
    expect(hasFiles(own, shapeOf(own, { type, meta: {} }))).toBe(expected);
  });
});
