import { describe, expect, test } from "vitest";
import {
  type Draft,
  draftOfJson,
  fieldsOfKind,
  firstDraft,
  withField,
} from "../../../generator/explorer/page/form/draft.ts";
import { hintOf } from "../../../generator/explorer/page/form/hint.ts";
import { requestBody } from "../../../generator/explorer/page/form/request-body.ts";
import { parseJson, printJson, writeJson } from "../../../generator/explorer/page/json/node.ts";
import { readSchema } from "../../../generator/explorer/page/schema/ir.ts";
import { type Field, shapeOf } from "../../../generator/explorer/page/schema/shape.ts";
import { ir, schema, text, use } from "./contract.ts";

describe("a form", () => {
  test.each<[string, Readonly<Record<string, string>>, string]>([
    ["string", {}, ""],
    ["string", { example: "e", default: "d" }, "e"],
    ["string", { default: "d" }, "d"],
    ["string", { example: "" }, ""],
    ["int8", {}, "0"],
    ["int8", { minimum: "3" }, "3"],
    ["float32", { minimum: "0.5" }, "0.5"],
    ["bigint", {}, "0"],
    ["bool", {}, "false"],
    ["timestamp", {}, "2026-01-31T12:00:00Z"],
    ["any", {}, "{}"],
    ["null", {}, "null"],
    ["Kind", {}, "cat"],
    ["Size", {}, "small"],
    ["Short", {}, "ab"],
  ])("begins %s %j with %j", (type, meta, expected) => {
    expect(firstDraft(schema, use(type, meta))).toEqual(text(expected));
  });

  test("begins an enum of unknown alone with that value, and one without values with nothing", () => {
    const own = readSchema({
      ...ir,
      types: [
        { kind: "enum", name: "A", type: "string", fields: [{ name: "unknown" }] },
        { kind: "enum", name: "B", type: "string" },
      ],
    });
    const first = (type: string): Draft => firstDraft(own, shapeOf(own, { type, meta: {} }));
    expect([first("A"), first("B")]).toEqual([text("unknown"), text("")]);
  });

  test("begins with required fields, an item of each list, and no entry of a map", () => {
    expect(firstDraft(schema, use("Pet"))).toEqual({
      kind: "struct",
      fields: {
        id: text("1"),
        nickName: text("ab"),
        plain: { kind: "absent" },
        kind: text("cat"),
        friends: { kind: "absent" },
      },
    });
    expect(firstDraft(schema, use("[]Kind"))).toEqual({ kind: "list", items: [text("cat")] });
    expect(firstDraft(schema, use("map<string,Kind>"))).toEqual({ kind: "map", entries: [] });
  });

  test("begins with one field of each group, which another field replaces", () => {
    const meta = [{ oneOf: "method" }];
    const fields = [
      { name: "iban", type: "string", optional: true, meta },
      { name: "cents", type: "uint32", optional: true, meta },
      { name: "pet", type: "Pet", optional: true, meta },
    ];
    const own = readSchema({ ...ir, types: [...ir.types, { kind: "struct", name: "Payment", fields }] });
    const shape = shapeOf(own, { type: "Payment", meta: {} });
    const first = firstDraft(own, shape);
    const sent = (draft: Draft): string => writeJson(requestBody(own, shape, draft).node);
    expect(sent(first)).toBe('{"cents":0}');
    if (shape.kind !== "struct" || first.kind !== "struct") throw new Error("no struct");
    const [iban] = shape.fields;
    const change = (value: string): Draft =>
      withField(shape.fields, first.fields, iban as Field, text(value));
    expect([sent(change("DE1")), sent(change(""))]).toEqual(['{"iban":"DE1"}', '{"cents":0}']);
  });

  test("shows and sends the fields of the chosen kind", () => {
    const conditional = (name: string, ...lines: readonly string[]) => {
      return { name, type: "string", optional: true, meta: lines.map((when) => ({ when })) };
    };
    const kinds = {
      kind: "enum" as const,
      name: "Way",
      type: "uint8",
      fields: [{ name: "card" }, { name: "bank", meta: [{ json: "BANK" }] }, { name: "cash" }],
    };
    const fields = [
      { name: "way", type: "Way" },
      conditional("number", "way.card"),
      conditional("iban", "way.bank"),
      conditional("holder", "way.card?", "way.bank"),
    ];
    const own = readSchema({
      ...ir,
      types: [...ir.types, kinds, { kind: "struct", name: "Payment", fields }],
    });
    const shape = shapeOf(own, { type: "Payment", meta: {} });
    const first = firstDraft(own, shape);
    if (shape.kind !== "struct" || first.kind !== "struct") throw new Error("no struct");
    const seen = (way: string) => {
      const draft = withField(shape.fields, first.fields, shape.fields[0] as Field, text(way));
      if (draft.kind !== "struct") throw new Error("no struct");
      const shown = fieldsOfKind(shape.fields, draft.fields);
      return [
        shown.map(({ name, isOptional }) => `${name}${isOptional ? "?" : ""}`).join(" "),
        writeJson(requestBody(own, shape, draft).node),
      ];
    };
    expect(seen("card")).toEqual(["way number holder?", '{"way":"card","number":""}']);
    expect(seen("BANK")).toEqual(["way iban holder", '{"way":"BANK","iban":"","holder":""}']);
    expect(seen("cash")).toEqual(["way", '{"way":"cash"}']);
  });

  test("ends seven levels below a struct that requires itself", () => {
    const own = readSchema({
      ...ir,
      types: [{ kind: "struct", name: "Loop", fields: [{ name: "loop", type: "Loop" }] }],
    });
    const depth = (draft: Draft | undefined): number =>
      draft?.kind === "struct" ? 1 + depth(draft.fields["loop"]) : 0;
    expect(depth(firstDraft(own, shapeOf(own, { type: "Loop", meta: {} })))).toBe(8);
  });

  test.each<[string, string, unknown]>([
    ["file", '"x"', text("")],
    ["any", '{"a":[1,2]}', text(printJson(parseJson('{"a":[1,2]}')))],
    ["any", "null", text("null")],
    ["null", "null", text("null")],
    ["string", "null", { kind: "absent" }],
    ["string", "true", text("true")],
    ["string", "1.50", text("1.50")],
    ["string", "[1]", text("[1]")],
    ["Pet", "[]", text("[]")],
    ["[]Kind", '["cat",null]', { kind: "list", items: [text("cat"), { kind: "absent" }] }],
    ["[]Kind", '"cat"', text("cat")],
    ["map<string,int>", '{"a":1}', { kind: "map", entries: [{ key: "a", value: text("1") }] }],
    ["map<string,int>", "[]", text("[]")],
  ])("shows %s of the JSON %s", (type, json, expected) => {
    expect(draftOfJson(schema, use(type), parseJson(json))).toEqual(expected);
  });

  test("drops fields that it cannot show", () => {
    expect(draftOfJson(schema, use("Pet"), parseJson('{"id":1,"other":2}'))).toMatchObject({
      fields: { id: text("1"), kind: { kind: "absent" } },
    });
  });

  test.each<[string, string, string, string | undefined]>([
    ["integer", "int8", "42", undefined],
    ["integer", "int8", "-0", undefined],
    ["integer", "int8", "01", "Enter an integer, such as 42."],
    ["integer", "int8", "1.5", "Enter an integer, such as 42."],
    ["integer", "int8", "", "Enter an integer, such as 42."],
    ["number", "float64", "42", undefined],
    ["number", "float64", "-0.5e+10", undefined],
    ["number", "float64", ".5", "Enter a number, such as 0.5."],
    ["number", "float64", "1e", "Enter a number, such as 0.5."],
    ["boolean", "bool", "false", undefined],
    ["boolean", "bool", "yes", "Choose true or false."],
    ["any JSON", "any", '{"a":', 'Enter JSON, such as {"a": 1} or "text": line 1: unexpected end.'],
    ["a struct as JSON", "Pet", '{"id":1}', undefined],
    ["a list as JSON", "[]Kind", "[", 'Enter JSON, such as {"a": 1} or "text": line 1: unexpected end.'],
  ])("reads a text as %s", (_case, type, written, message) => {
    const { node, errors } = requestBody(schema, use(type), text(written));
    expect([...errors]).toEqual(message === undefined ? [] : [["", message]]);
    if (message === undefined) expect(writeJson(node)).toBe(written);
  });

  test.each<[string, Draft, string]>([
    ["an optional field that is blank", text(""), "{}"],
    ["an optional field that is absent", { kind: "absent" }, "{}"],
    ["an optional field", text("x"), '{"plain":"x"}'],
  ])("leaves out %s", (_case, plain, expected) => {
    const draft: Draft = { kind: "struct", fields: { plain } };
    expect(writeJson(requestBody(schema, use("Pet"), draft).node)).toBe(expected);
  });

  test("sends a required field that is blank, and no absent items and entries", () => {
    const draft: Draft = {
      kind: "struct",
      fields: {
        nickName: text(""),
        kind: { kind: "absent" },
        friends: { kind: "list", items: [{ kind: "absent" }] },
      },
    };
    expect(writeJson(requestBody(schema, use("Pet"), draft).node)).toBe('{"nickName":"","friends":[]}');
    const map: Draft = {
      kind: "map",
      entries: [
        { key: "a", value: { kind: "absent" } },
        { key: "b", value: text("1") },
      ],
    };
    expect(writeJson(requestBody(schema, use("map<string,int>"), map).node)).toBe('{"b":1}');
  });

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ["string", {}, ""],
    ["string", { minLength: "1" }, "at least 1 character"],
    ["string", { maxLength: "9" }, "at most 9 characters"],
    ["[]Kind", { minItems: "1", maxItems: "2" }, "1 to 2 entries"],
    ["int8", { minimum: "0" }, "at least 0"],
    ["float64", { maximum: "1" }, "number · at most 1"],
    ["bigint", { minimum: "0", maximum: "9", default: "" }, "integer of any size · 0 to 9 · default: "],
    ["[]byte", {}, "base64"],
    ["any", {}, "any JSON value"],
  ])("hints at %s %j: %s", (type, meta, expected) => {
    expect(hintOf(use(type, meta))).toBe(expected);
  });

  test("hints at no limit that the description repeats", () => {
    const list = use("[]Kind", { maxItems: "100", default: "[]" });
    expect(hintOf(list, "At most 100, the maximum of a page.")).toBe("default: []");
    expect(hintOf(list, "At most 1000 bytes.")).toBe("at most 100 entries · default: []");
  });
});
