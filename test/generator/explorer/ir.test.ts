import { expect, test } from "vitest";
import { keysOf } from "../../../generator/explorer/page/schema/ir.ts";

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
