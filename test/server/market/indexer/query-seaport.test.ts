import { encodeAbiParameters } from "viem";
import { expect, test } from "vitest";
import { isSignatureValid } from "../../../../server/market/indexer/seaport/viem/query-seaport.ts";

const address = (digit: string): `0x${string}` => `0x${digit.repeat(40)}`;
const word = `0x${"0".repeat(64)}`;

test("a call limits the gas that contracts may use", async () => {
  const sent: unknown[] = [];
  const chain = {
    request: async (method: string, params: unknown) => {
      sent.push([method, params]);
      return encodeAbiParameters([{ type: "bool" }], [true]);
    },
  };
  const order = {
    offerer: address("a"),
    zone: address("0"),
    offer: [],
    consideration: [],
    orderType: 0,
    startTime: 0n,
    endTime: 1n,
    zoneHash: word,
    salt: 0n,
    conduitKey: word,
    totalOriginalConsiderationItems: 0n,
  };
  const query = { chain: chain as never, seaport: address("b"), blockHash: word };
  expect(await isSignatureValid(query, { order, counter: 0n, signature: "0x" })).toBe(true);
  expect(sent).toEqual([
    ["eth_call", [{ to: address("b"), data: expect.any(String), gas: "0x989680" }, { blockHash: word }]],
  ]);
});
