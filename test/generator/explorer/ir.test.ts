import { expect, test } from "vitest";
import { dataTypes, keysOf } from "../../../generator/explorer/page/schema/ir.ts";
import { ir } from "./contract.ts";

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
