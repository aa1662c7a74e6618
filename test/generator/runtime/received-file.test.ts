import { expect, test } from "vitest";
import { readFile } from "../../../generator/runtime/src/client-files.ts";
import { getOrders } from "../../fixtures/market/generated/client.ts";

test.each([
  [undefined, undefined],
  ["", undefined],
  ["0", 0],
  ["1", 1],
])("a file whose Content-Length is %j has %s bytes", async (length, size) => {
  const headers = length === undefined ? {} : { "Content-Length": length };
  const file = await readFile(getOrders.info, new Response("", { headers }));
  expect(file.size).toBe(size);
});
