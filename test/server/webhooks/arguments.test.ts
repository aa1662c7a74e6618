import { beforeAll, expect, test } from "vitest";
import { type Keccak, loadKeccak } from "../../../server/base/keccak.ts";
import { readContractEvent } from "../../../server/chain/events/contract-event.ts";
import { layoutOf, tokenWord } from "../../../server/webhooks/matching/arguments.ts";

let keccak: Keccak;
beforeAll(async () => {
  keccak = await loadKeccak();
});

test.each<[string, accountTopics: number[], tokenTopics: number[], tokensInData: number[], boolean]>([
  ["Transfer(address indexed a, address indexed b, uint256 tokenId)", [1, 2], [], [], false],
  ["Transfer(address indexed a, address indexed b, uint256 indexed value)", [1, 2], [3], [], false],
  ["Approval(address indexed a, address indexed b, uint256 tokenId)", [1, 2], [], [], false],
  ["Approval(address indexed a, address indexed b, uint256 indexed value)", [1, 2], [3], [], false],
  [
    "TransferSingle(address indexed a, address indexed b, address indexed c, uint256 d, uint256 e)",
    [1, 2, 3],
    [],
    [0],
    false,
  ],
  [
    "TransferBatch(address indexed a, address indexed b, address indexed c, uint256[] d, uint256[] e)",
    [1, 2, 3],
    [],
    [0],
    false,
  ],
  ["URI(string a, uint256 indexed b)", [], [1], [], false],
  ["Sold(address buyer, uint256 tokenId, uint256 price)", [], [], [1], true],
  ["Sold(address[] buyers, uint256 TokenID)", [], [], [1], true],
  ["Sold(uint256 token_ids, uint256 ids, uint64 ID)", [], [], [0, 1, 2], false],
  ["Sold(uint256[] ids, uint256[2] id)", [], [], [0, 1], false],
  ["Sold(uint256 tokenIdx, uint256 paid, uint256 myid)", [], [], [], false],
  ["Sold(int256 id, bytes32 tokenId, string ids)", [], [], [], false],
  ["Sold(uint256 indexed id, uint256[] indexed ids, address buyer)", [], [1], [], true],
  // Without names, every number of 256 bits may be a token id.
  ["Sold(address,uint256,uint128,uint256[])", [], [], [1, 3], true],
  ["Sold(uint256 indexed,address indexed,uint256)", [2], [1], [0], false],
  // One name is enough.
  ["Sold(uint256,uint256 price)", [], [], [], false],
])(
  "%s has accounts in the topics %j, and token ids in the topics %j and the data %j",
  (text, accounts, topics, data, hasAccounts) => {
    expect(layoutOf(readContractEvent(text, keccak))).toMatchObject({
      accountTopics: accounts,
      tokenTopics: topics,
      tokensInData: data,
      hasAccountsInData: hasAccounts,
    });
  },
);

test("a token id is written as a word", () => {
  expect(tokenWord("0")).toBe("0".repeat(64));
  expect(tokenWord(String(2n ** 256n - 1n))).toBe("f".repeat(64));
});
