/** The explorer's search, over the platform's contract. */
import { describe, expect, test } from "vitest";
import { groupTypes, readSchema } from "../../../generator/explorer/page/schema/ir.ts";
import { indexOf, search } from "../../../generator/explorer/page/schema/search.ts";

import { contractIr } from "../../support/contract-ir.ts";

const schema = readSchema(contractIr("schema/platform.ridl"));
const index = indexOf(schema, undefined);

const found = (query: string): readonly string[] =>
  search(index, query).map(({ kind, owner, name }) => `${kind} ${owner === "" ? name : `${owner}.${name}`}`);

describe("search", () => {
  test.each([
    ["its name", "GetOrders", "method Marketplace.GetOrders"],
    ["its name in lower case", "getorders", "method Marketplace.GetOrders"],
    ["the start of a word", "orders get", "method Marketplace.GetOrders"],
    ["service and method", "Marketplace.GetOrders", "method Marketplace.GetOrders"],
    ["service and method with a slash", "marketplace/getorders", "method Marketplace.GetOrders"],
    ["letters of its name", "gswq", "method API.GetSwapQuote"],
    ["a type", "CollectibleOrder", "type CollectibleOrder"],
    ["a field", "priceUSD", "field Order.priceUSD"],
    ["a field with its type", "Order.priceAmount", "field Order.priceAmount"],
    ["an error", "RateLimited", "error RateLimited"],
    ["a method before fields of the same name", "price", "method API.GetSwapPrice"],
    ["a sentence", "please find cheapest token", "method Marketplace.GetFloorOrder"],
    ["all but an unknown word", "getorders nothingatall", "method Marketplace.GetOrders"],
  ])("finds %s first", (_about, query, first) => {
    expect(found(query)[0]).toBe(first);
  });

  test("finds methods by some of the words, although a field matches all", () => {
    const all = found("floor price");
    expect(all[0]).toBe("field Order.priceUSD");
    expect(all).toEqual(
      expect.arrayContaining(["method Marketplace.GetFloorOrder", "method API.GetSwapPrice"]),
    );
  });

  test("finds words of descriptions, from their start", () => {
    expect(found("smallest")).toContain("field Order.priceAmount");
    expect(found("mallest")).not.toContain("field Order.priceAmount");
  });

  test("finds nothing for unknown words and blanks", () => {
    expect(found("nothingatall")).toEqual([]);
    expect(found("   ")).toEqual([]);
    expect(found(".")).toEqual([]);
  });

  test("shows at most 40 results", () => {
    expect(found("a")).toHaveLength(40);
  });

  test("leaves out the methods of services that the host does not serve", () => {
    const served = indexOf(schema, ["API"]);
    expect(search(served, "GetOrders").filter(({ kind }) => kind === "method")).toEqual([]);
  });
});

describe("types by service", () => {
  test("has each type once", () => {
    const names = groupTypes(schema.ir).flatMap(({ types }) => types.map(({ name }) => name));
    expect([...names].sort()).toEqual(schema.ir.types.map(({ name }) => name).sort());
  });

  test("follows fields, lists, maps and aliases, and ends at circles", () => {
    const ir = {
      name: "shop",
      version: "v1",
      types: [
        { kind: "struct", name: "Order", fields: [{ name: "lines", type: "[]Line" }] },
        { kind: "struct", name: "Line", fields: [{ name: "order", type: "Order" }] },
        { kind: "struct", name: "Both", fields: [{ name: "at", type: "map<string,Alias>" }] },
        { kind: "alias", name: "Alias", type: "string" },
        { kind: "enum", name: "Unused", type: "uint8", fields: [] },
      ],
      services: [
        {
          name: "A",
          methods: [
            { name: "Get", inputs: [{ name: "a", type: "Both" }], outputs: [{ name: "o", type: "Order" }] },
          ],
        },
        { name: "B", methods: [{ name: "Put", inputs: [{ name: "b", type: "[]Both" }], outputs: [] }] },
      ],
    } as const;
    expect(groupTypes(ir).map(({ title, types }) => [title, types.map(({ name }) => name)])).toEqual([
      ["A", ["Order", "Line"]],
      ["Several services", ["Both", "Alias"]],
      ["No service", ["Unused"]],
    ]);
  });
});
