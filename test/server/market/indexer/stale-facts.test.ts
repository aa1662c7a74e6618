import {
  type AbiEvent,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  parseAbi,
  toEventSelector,
} from "viem";
import { expect, test } from "vitest";
import type { ChainLog } from "../../../../server/chain/follower/derive/blocks.ts";
import { staleFactsOf, staleFactTopics } from "../../../../server/market/indexer/availability/stale-facts.ts";

const abi = parseAbi([
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "event Approval(address indexed owner, address indexed spender, uint256 value)",
  "event ApprovalForAll(address indexed owner, address indexed operator, bool approved)",
  "event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)",
  "event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)",
  "event CustomRoyaltyChanged(address indexed tokenContract, address recipient, uint96 fee)",
]);
/** The same events with other arguments indexed. */
const variants = parseAbi([
  "event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)",
  "event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId)",
  "event TransferSingle(address operator, address from, address to, uint256 id, uint256 value)",
]);
const [contract, nobody, ada, bao] = ["cc", "00", "aa", "bb"].map(
  (byte) => `0x${byte.repeat(20)}` as Hex,
) as [Hex, Hex, Hex, Hex];

function logOf(event: AbiEvent, values: readonly unknown[]): ChainLog {
  const plain = event.inputs.flatMap((input, index) =>
    input.indexed === true ? [] : [{ input, value: values[index] }],
  );
  const args = Object.fromEntries(event.inputs.map(({ name = "" }, index) => [name, values[index]]));
  return {
    address: contract,
    topics: encodeEventTopics({ abi: [event], args } as never) as Hex[],
    data: encodeAbiParameters(
      plain.map(({ input }) => input),
      plain.map(({ value }) => value),
    ),
  } as unknown as ChainLog;
}

const [transfer, approval, approvalForAll, single, batch, royalty] = abi as unknown as AbiEvent[] as [
  AbiEvent,
  AbiEvent,
  AbiEvent,
  AbiEvent,
  AbiEvent,
  AbiEvent,
];
const [nftTransfer, nftApproval, plainSingle] = variants as unknown as [AbiEvent, AbiEvent, AbiEvent];
const holding = { kind: "holding", contract };

test("the events are those of the standards", () => {
  expect([...staleFactTopics].sort()).toEqual(abi.map((event) => toEventSelector(event)).sort());
});

test.each<[string, AbiEvent, readonly unknown[], readonly object[]]>([
  [
    "a payment",
    transfer,
    [ada, bao, 5n],
    [
      { ...holding, holder: ada },
      { ...holding, holder: bao },
    ],
  ],
  ["a minted amount", transfer, [nobody, bao, 5n], [{ ...holding, holder: bao }]],
  ["a burned amount", transfer, [ada, nobody, 5n], [{ ...holding, holder: ada }]],
  ["a transfer of a token", nftTransfer, [ada, bao, 5n], [{ ...holding, tokenId: 5n }]],
  ["an approval of an amount", approval, [ada, bao, 5n], [{ ...holding, holder: ada, spender: bao }]],
  ["an approval of a token", nftApproval, [ada, bao, 5n], [{ ...holding, tokenId: 5n }]],
  ["an approval of all", approvalForAll, [ada, bao, true], [{ ...holding, holder: ada, spender: bao }]],
  [
    "a transfer of units",
    single,
    [contract, ada, bao, 5n, 1n],
    [
      { ...holding, holder: ada, tokenId: 5n },
      { ...holding, holder: bao, tokenId: 5n },
    ],
  ],
  ["minted units", single, [contract, nobody, bao, 5n, 1n], [{ ...holding, holder: bao, tokenId: 5n }]],
  [
    "units of a contract that indexes nothing",
    plainSingle,
    [contract, nobody, bao, 5n, 1n],
    [{ ...holding, holder: bao, tokenId: 5n }],
  ],
  [
    "a batch",
    batch,
    [contract, ada, nobody, [5n, 6n], [1n, 1n]],
    [
      { ...holding, holder: ada, tokenId: 5n },
      { ...holding, holder: ada, tokenId: 6n },
    ],
  ],
  ["an empty batch", batch, [contract, ada, nobody, [], []], [{ ...holding, holder: ada }]],
  ["a royalty", royalty, [ada, bao, 5n], [{ kind: "royalty", contract: ada, spender: contract }]],
])("after %s, these facts are stale: %#", (_, event, values, facts) => {
  expect(staleFactsOf(logOf(event, values))).toEqual(facts);
});

test("a batch whose list exceeds the data may concern any token", () => {
  const log = logOf(batch, [contract, ada, nobody, [5n, 6n], [1n, 1n]]);
  // Offsets, the length 2 and one token.
  const data = log.data.slice(0, 2 + 64 * 4) as Hex;
  expect(staleFactsOf({ ...log, data })).toEqual([{ ...holding, holder: ada }]);
  expect(staleFactsOf({ ...log, data: "0x" })).toEqual([{ ...holding, holder: ada }]);
});

test("other events, and those without arguments, concern nothing", () => {
  const log = logOf(transfer, [ada, bao, 5n]);
  expect(staleFactsOf({ ...log, topics: [`0x${"12".repeat(32)}`, ...log.topics.slice(1)] })).toEqual([]);
  expect(staleFactsOf({ ...log, topics: log.topics.slice(0, 1), data: "0x" })).toEqual([]);
});
