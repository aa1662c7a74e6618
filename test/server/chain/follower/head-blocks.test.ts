import { expect, test } from "vitest";
import { loadKeccak } from "../../../../server/base/keccak.ts";
import { BloomFilters } from "../../../../server/chain/follower/bloom.ts";
import { readHeadBlocks } from "../../../../server/chain/follower/read-blocks.ts";
import type { Header } from "../../../../server/chain/follower/source.ts";
import type { Hex } from "../../../../server/chain/rpc/chain.ts";

const bloomFilters = new BloomFilters(await loadKeccak());
const contract: Hex = `0x${"a1".repeat(20)}`;
const empty: Hex = `0x${"00".repeat(256)}`;
const other: Hex = `0x01${"00".repeat(255)}`;
const full: Hex = `0x${"ff".repeat(256)}`;

test.each([
  ["an empty filter", empty, true, 1],
  ["a filter that matches", full, true, 1],
  ["a filter that does not match", other, true, 0],
  ["a filter that is not checked", other, false, 1],
])("a block with %s", async (_, logsBloom, checkBloom, requests) => {
  let requested = 0;
  const log = {
    address: contract,
    topics: [],
    data: "0x" as Hex,
    transactionHash: `0x${"33".repeat(32)}` as Hex,
    transactionIndex: 0,
    logIndex: 0,
    indexInTransaction: 0,
  };
  const source = {
    bloomFilters,
    logsOfBlock: async () => {
      requested++;
      return [log];
    },
  };
  const header: Header = {
    number: 7,
    hash: `0x${"07".repeat(32)}`,
    parentHash: `0x${"06".repeat(32)}`,
    timestamp: 1,
    logsBloom,
  };
  const options = { filter: { addresses: new Set([contract]) }, checkBloom };
  const [block] = await readHeadBlocks(source, [header], options);
  expect(requested).toBe(requests);
  expect(block?.logs).toHaveLength(requests);
});
