/** A small schema whose generated code people review: `npx vitest run test/generator/codegen/golden.test.ts -u` writes it again. */
import { expect, test } from "vitest";
import { generate } from "../../../generator/codegen/generate.ts";
import { contractOf } from "../../support/versions.ts";

const schema = `webrpc = v1
name = shop
version = v1.0.0
basepath = /rpc

error 100 NotFound "not found" HTTP 404

# How an order is paid.
enum Payment: string
  - card
  - cash

struct Order
  - id: uint64
  - payment: Payment
  - names: []string
  # Cents.
  - total?: uint32
    + maximum = 1000000

# Sells things.
service Shop
  # Returns an order.
  - Get(id: uint64) => (order: Order) errors NotFound
  - Put(order: Order) => ()
`;

const { model, ir } = contractOf(schema);
const files = generate(model, ir, { schemaFile: "shop.ridl", targets: ["client", "server"] });

test.each(["client.ts", "validators.ts"])("the reviewed %s", async (path) => {
  await expect(files.get(path)).toMatchFileSnapshot(`golden/${path}.txt`);
});
