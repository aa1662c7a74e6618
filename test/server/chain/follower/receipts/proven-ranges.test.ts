import { expect, test } from "vitest";
import { loadKeccak } from "../../../../../server/base/keccak.ts";
import { BloomFilters } from "../../../../../server/chain/follower/bloom.ts";
import { readProvenRanges } from "../../../../../server/chain/follower/read-blocks.ts";
import type { Header } from "../../../../../server/chain/follower/source.ts";
import type { Hex } from "../../../../../server/chain/rpc/chain.ts";

const hashOf = (number: number): Hex => `0x${number.toString(16).padStart(64, "0")}`;
const bloomFilters = new BloomFilters(await loadKeccak());

/** Reads blocks without logs. The block `broken` has another parent. */
async function read(to: number, broken?: number): Promise<readonly string[]> {
  const source = {
    bloomFilters,
    logsOfBlock: async () => [],
    headersByNumber: async (numbers: readonly number[]): Promise<readonly Header[]> =>
      numbers.map((number) => ({
        number,
        hash: hashOf(number),
        parentHash: hashOf(number === broken ? 0 : number - 1),
        timestamp: 0,
        logsBloom: `0x${"00".repeat(256)}`,
      })),
  };
  const ranges: string[] = [];
  const options = { from: 1, to, filter: {}, checkBloom: true };
  for await (const { from, to: last, parentHash } of readProvenRanges(source, options))
    ranges.push(`${from}-${last.number} ${Number(parentHash)}`);
  return ranges;
}

test.each([
  [499, ["1-499 0"]],
  [500, ["1-500 0"]],
  [501, ["1-500 0", "501-501 500"]],
])("%i blocks are read in ranges of 500", async (to, expected) => {
  expect(await read(to)).toEqual(expected);
});

test("headers that do not form a chain are rejected", async () => {
  await expect(read(10, 7)).rejects.toThrow("the blocks do not form a chain");
});
