import { concat, encodeRlp, keccak256 } from "ethers";
import { describe, expect, test } from "vitest";
import { loadKeccak } from "../../../../../server/base/keccak.ts";
import { logsOfReceipts, trieRoot } from "../../../../../server/chain/follower/viem/receipts.ts";
import type { Hex } from "../../../../../server/chain/rpc/chain.ts";

const keccak = await loadKeccak();
const noBloom = `0x${"00".repeat(256)}`;
const transactionHash = `0x${"ab".repeat(32)}`;
const logs = [
  {
    address: `0x${"A1".repeat(20)}`,
    topics: [`0x${"b2".repeat(32)}`, `0x${"00".repeat(32)}`],
    data: "0x00ff",
  },
  { address: `0x${"c3".repeat(20)}`, topics: [], data: "0x" },
];
const receipt = {
  type: "0x0",
  status: "0x1",
  cumulativeGasUsed: "0x5208",
  logsBloom: noBloom,
  logs,
  transactionHash,
};

/** The root of a trie with one leaf, whose key is the RLP encoding of 0, as ethers encodes it. */
function rootOfOne(type: number, outcome: string, gas: string): Hex {
  const items = logs.map(({ address, topics, data }) => [address, topics, data]);
  const encoded = encodeRlp([outcome, gas, noBloom, items]);
  const value = type === 0 ? encoded : concat([`0x0${type}`, encoded]);
  return keccak256(encodeRlp(["0x2080", value])) as Hex;
}

describe("the root of receipts", () => {
  test("without receipts is that of an empty trie", () => {
    expect(trieRoot([], keccak)).toBe("0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421");
  });

  // The root of every block of Ethereum whose only transaction is a transfer of coins.
  test.each([
    ["0x0", "0x056b23fbba480696b65fe5a59b8f2148a1299103c4f57df839233af2cf4ca2d2"],
    ["0x2", "0xf78dfb743fbd92ade140711c8bbc542b5e307f0ab7984eff35d751969fe57efa"],
  ] as const)("of a transfer of type %s", (type, root) => {
    expect(logsOfReceipts([{ ...receipt, type, logs: [] }], root, keccak)).toEqual([]);
  });

  test("of block 46147 of Ethereum, which has the first transaction and, like all before Byzantium, a root of the state", () => {
    const { status, ...rest } = receipt;
    const root = "0x96a8e009d2b88b1483e6941e6812e32263b05683fac202abc622a3e31aed1957";
    const receiptsRoot = "0xfe2bf2a941abf41d72637e5b91750332a30283efd40c424dc522b77e6f0ed8c4";
    expect(logsOfReceipts([{ ...rest, root, logs: [] }], receiptsRoot, keccak)).toEqual([]);
  });

  test.each([0, 1, 2, 3, 4])("of a receipt of type %i", (type) => {
    for (const [status, outcome] of [
      ["0x1", "0x01"],
      ["0x0", "0x"],
    ] as const) {
      const found = logsOfReceipts(
        [{ ...receipt, type: `0x${type}`, status }],
        rootOfOne(type, outcome, "0x5208"),
        keccak,
      );
      expect(found).toMatchObject([
        {
          address: `0x${"a1".repeat(20)}`,
          logIndex: 0,
          indexInTransaction: 0,
          transactionIndex: 0,
          transactionHash,
        },
        {
          address: `0x${"c3".repeat(20)}`,
          logIndex: 1,
          indexInTransaction: 1,
          transactionIndex: 0,
          transactionHash,
        },
      ]);
    }
  });

  test("of a receipt from before Byzantium, which has the root of the state", () => {
    const { status: _, ...before } = receipt;
    const root = `0x${"d4".repeat(32)}`;
    const gas = { given: "0x00ff", encoded: "0xff" };
    const one = { ...before, root, cumulativeGasUsed: gas.given };
    expect(logsOfReceipts([one], rootOfOne(0, root, gas.encoded), keccak)).toHaveLength(2);
  });

  test.each([
    ["type 5", { type: "0x5" }, "a receipt has the type 0x5, which checkReceipts does not know"],
    ["the type of a rollup", { type: "0x7e" }, "a receipt has the type 0x7e"],
    ["another status", { status: "0x0" }, "its receipts do not have the root in the block's header"],
    ["no logs", { logs: undefined }, "a receipt has no list of logs"],
    ["a short hash", { transactionHash: "0xab" }, "a hash, address or data has the wrong form"],
  ])("rejects %s", (_, changed, message) => {
    const root = rootOfOne(0, "0x01", "0x5208");
    expect(() => logsOfReceipts([{ ...receipt, ...changed }], root, keccak)).toThrow(message);
  });
});
