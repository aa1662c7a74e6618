import { expect, test } from "vitest";
import { type FinalityInput, readFinality } from "../../../../server/chain/follower/finality.ts";
import type { Header } from "../../../../server/chain/follower/source.ts";
import { BlockNotFound } from "../../../../server/chain/rpc/nodes/faults.ts";

const header = (number: number, hash: `0x${string}` = "0x01"): Header => ({ number, hash }) as Header;

/** `head`: the node's block with the number of the last committed one. */
async function finalityOf(
  tags: { readonly safe?: Header; readonly finalized?: Header; readonly head?: Header | "missing" },
  more: Partial<FinalityInput> = {},
) {
  return readFinality(
    {
      taggedBlock: async (tag) => tags[tag],
      headersByNumber: async (numbers) => {
        expect(numbers).toEqual([100]);
        if (tags.head === "missing") throw new BlockNotFound("the node is behind");
        return [tags.head ?? header(100)];
      },
    },
    { number: 100, window: 10, wasReported: false, hashOf: async () => "0x01", ...more },
  );
}

test.each<[string, Parameters<typeof finalityOf>, object | undefined]>([
  ["both tags", [{ safe: header(90), finalized: header(80) }], { safe: 90, finalized: 80, isReported: true }],
  ["a final block only", [{ finalized: header(80) }], { safe: 80, finalized: 80, isReported: true }],
  ["a safe block only", [{ safe: header(90) }], { safe: 90, finalized: -1, isReported: true }],
  [
    "blocks that are not committed yet",
    [{ safe: header(101), finalized: header(100) }],
    { safe: 100, finalized: 100, isReported: true },
  ],
  [
    "later blocks, while the last committed block has left the chain",
    [{ safe: header(101), finalized: header(101), head: header(100, "0x02") }],
    undefined,
  ],
  [
    "a later block, by a node that lacks the last committed block",
    [{ finalized: header(101), head: "missing" }],
    undefined,
  ],
  [
    "a last committed block of another branch as final",
    [{ finalized: header(100, "0x02"), head: header(100, "0x02") }],
    undefined,
  ],
  ["no tags: the window", [{}], { safe: 90, finalized: 90, isReported: false }],
  ["no tags, after tags were reported", [{}, { wasReported: true }], undefined],
  ["a final block of another branch", [{ safe: header(90), finalized: header(80, "0x02") }], undefined],
  ["a safe block of another branch", [{ safe: header(90, "0x02"), finalized: header(80) }], undefined],
  [
    "a block whose hash is unknown",
    [{ finalized: header(80, "0x02") }, { hashOf: async () => undefined }],
    { safe: 80, finalized: 80, isReported: true },
  ],
])("finality of a chain whose nodes report %s", async (_, input, expected) => {
  expect(await finalityOf(...input)).toEqual(expected);
});
