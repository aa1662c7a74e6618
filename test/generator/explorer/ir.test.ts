import { expect, test } from "vitest";
import {
  dataTypes,
  errorsOf,
  type IrMethod,
  keysOf,
  methodDocs,
  readSchema,
} from "../../../generator/explorer/page/schema/ir.ts";
import { ir, method } from "./contract.ts";

test.each([
  [undefined, []],
  ["", []],
  ["accessKey", ["accessKey"]],
  ["accessKey,secretKey", ["accessKey", "secretKey"]],
  [" accessKey , secretKey ,", ["accessKey", "secretKey"]],
])("a method with @auth:%j needs the keys %j", (value, keys) => {
  const annotations = value === undefined ? {} : { auth: { annotationType: "auth", value } };
  expect(keysOf({ name: "Get", inputs: [], outputs: [], annotations })).toEqual(keys);
});

test("an error's data has the type of the alias that names the error", () => {
  const types = [
    { kind: "alias", name: "GoneData", type: "Limit", meta: [{ errorData: "Gone" }] },
    { kind: "alias", name: "Name", type: "string", meta: [{ brand: "true" }] },
    { kind: "struct", name: "Limit" },
  ] as const;
  expect([...dataTypes({ ...ir, types })]).toEqual([["Gone", "GoneData"]]);
});

const errors = ["NotFound", "SoldOut", "Busy"].map((name, index) => ({
  name,
  code: index + 1,
  message: name,
  httpStatus: 400,
}));

test.each<[readonly string[], readonly string[], Readonly<Record<string, string>>]>([
  [
    ["Finds an order.", "NotFound: it is gone. Or new."],
    ["Finds an order."],
    { NotFound: "it is gone. Or new." },
  ],
  [
    ["Finds an order. NotFound: it is gone. Results are cached. SoldOut: no copy.", "The end."],
    ["Finds an order. Results are cached. The end."],
    { NotFound: "it is gone.", SoldOut: "no copy." },
  ],
  [["NotFound: no order.", "NotFound: no shop."], [], { NotFound: "no order; no shop." }],
])("the comments %j have the text %j and the reasons %j", (comments, paragraphs, reasons) => {
  const docs = methodDocs(readSchema({ ...ir, errors }), method("Get", { comments }));
  expect(docs.paragraphs).toEqual(paragraphs);
  expect(Object.fromEntries(docs.byError)).toEqual(reasons);
});

test.each<[string, Partial<IrMethod>, readonly string[]]>([
  ["a list", { errors: ["NotFound"] }, ["NotFound", "Busy"]],
  ["@noErrors", { annotations: { noErrors: {} } }, ["Busy"]],
  ["neither", {}, ["SoldOut", "Busy"]],
])("a method with %s has no error of its comments that only others return", (_, more, expected) => {
  const get = method("Get", { comments: ["SoldOut: no copy.", "Busy: try again."], ...more });
  const services = [{ name: "Shop", methods: [get, method("Buy", { errors: ["SoldOut"] })] }];
  expect(errorsOf(readSchema({ ...ir, errors, services }), get).map(({ name }) => name)).toEqual(expected);
});
