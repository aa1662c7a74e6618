import { describe, expect, test } from "vitest";
import { docsOf, type Ir, plainText, readSchema } from "../../../generator/explorer/page/schema/ir.ts";
import { firstSentence, indexOf, search } from "../../../generator/explorer/page/schema/search.ts";
import { ir, method } from "./contract.ts";

describe("the search", () => {
  const own: Ir = {
    ...ir,
    types: [
      {
        kind: "struct",
        name: "OrderList",
        fields: [{ name: "orderId" }, { name: "total", comments: ["Sum of orders."] }],
      },
      { kind: "struct", name: "Total" },
    ],
    errors: [{ code: 1, name: "NoOrder", message: "order not found", httpStatus: 404 }],
    services: [
      {
        name: "Shop",
        methods: [
          method("GetOrders", { comments: ["Lists (orders) of a shop. More."] }),
          method("Reorder"),
          method("GoOrDie"),
        ],
      },
      { name: "Hidden", methods: [method("GetOrder")] },
    ],
  };
  const found = (query: string, services?: readonly string[]): readonly string[] =>
    search(indexOf(readSchema(own), services), query).map(({ kind, name }) => `${kind} ${name}`);

  test.each<[string, readonly string[]]>([
    ["total", ["type Total", "field total"]],
    [
      "order",
      [
        "method GetOrder",
        "method GetOrders",
        "type OrderList",
        "method Reorder",
        "error NoOrder",
        "field orderId",
        "field total",
      ],
    ],
    ["gor", ["method GoOrDie", "method GetOrder", "method GetOrders"]],
    ["g", ["method GoOrDie", "method GetOrder", "method GetOrders"]],
    ["shop get", ["method GetOrders"]],
    ["orderlist.total", ["field total", "type Total", "type OrderList"]],
    ["lists", ["method GetOrders"]],
    [
      "rder",
      [
        "method Reorder",
        "method GetOrder",
        "method GetOrders",
        "type OrderList",
        "error NoOrder",
        "field orderId",
      ],
    ],
    ["odie", ["method GoOrDie"]],
    ["shop ordrs", ["method GetOrders", "type OrderList"]],
    ["um", []],
    ["found", ["error NoOrder"]],
  ])("for %s finds in this order", (query, expected) => {
    expect(found(query)).toEqual(expected);
  });

  test("leaves out services that the host does not serve", () => {
    expect(found("getorder", ["Shop"])).toEqual(["method GetOrders"]);
  });

  test.each([
    ["One. Two.", "One."],
    ["Version 1.5 of it. More", "Version 1.5 of it."],
    ["No end", "No end"],
  ])("the first sentence of %j is %j", (paragraph, expected) => {
    expect(firstSentence([paragraph, "Other."])).toBe(expected);
  });

  test("lines of code, of tables and of quotes stay apart", () => {
    const code = "```json\n{\n\n  - a\n}\n```";
    const table = "| a | b |\n|---|---|\n| 1 | 2 |";
    const comments = ["One:", code, "Two.", table, "", "> three", "> four", "  - five", "```", "no end"];
    expect(docsOf(comments)).toEqual([
      ...["One:", code, "Two.", table],
      ...["> three", "> four", "- five ``` no end"],
    ]);
  });

  test.each([
    ["**Bold** and *em*, `code`, [a link](https://a.example)", "Bold and em, code, a link"],
    ["2 * 3 * 4, a*b*c", "2 * 3 * 4, a*b*c"],
  ])("%j without marks is %j", (text, plain) => {
    expect(plainText(text)).toBe(plain);
  });

  test("comments are paragraphs; lists and labels begin their own", () => {
    const comments = ["One", "line.", "", "Two:", "- a", "* b", "1. c", "Note: c", "Not: ", "  "];
    expect(docsOf(comments)).toEqual(["One line.", "Two:", "- a", "* b", "1. c", "Note: c", "Not:"]);
    expect(docsOf(undefined)).toEqual([]);
  });
});

test.each([
  [39, 39],
  [40, 40],
  [41, 40],
])("of %i methods that match, %i are shown", (count, shown) => {
  const methods = Array.from({ length: count }, (_, index) => method(`GetOrder${index}`));
  const schema = readSchema({ ...ir, services: [{ name: "Shop", methods }] });
  expect(search(indexOf(schema, undefined), "order")).toHaveLength(shown);
});
