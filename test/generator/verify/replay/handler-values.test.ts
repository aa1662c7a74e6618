import { expect, test } from "vitest";
import { toHandlerValue } from "../../../../generator/verify/replay/stub-server.ts";
import { planOf } from "../../../support/sample-plan.ts";

const schema = `webrpc = v1
name = orders
version = v1
basepath = /rpc

struct Order
  - id: uint64
    + accepts = integer,string
  - price: float64
    + accepts = number,string
  - isOpen: bool
    + accepts = boolean,string
  - note: string
    + accepts = string,integer
  - amount: bigint
  - placedAt: timestamp

service Orders
  - Place(order: Order)
`;
const plan = planOf({ "orders.ridl": schema }, "orders.ridl", { timestamps: "Date" });

test.each([
  ["id", "7", 7],
  ["id", 7, 7],
  ["price", "1.5", 1.5],
  ["isOpen", "true", true],
  ["isOpen", "false", false],
  ["isOpen", true, true],
  ["note", 12, "12"],
  ["note", "12", "12"],
  ["amount", "18446744073709551616", 2n ** 64n],
  ["placedAt", "2026-03-04T05:06:07.123456789Z", new Date("2026-03-04T05:06:07.123Z")],
])("the field %s of the JSON %j has the value %s in TypeScript", (field, json, value) => {
  expect(toHandlerValue({ plan }, "Order", { [field]: json }, [])).toEqual({ [field]: value });
});
