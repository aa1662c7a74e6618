import { expect, test } from "vitest";
import type { Queries } from "../../../../../server/base/storage/database.ts";
import { ContractTypes } from "../../../../../server/chain/contract-types/contract-types.ts";
import { type Chain, ChainFailure, type Hex, NoNodes } from "../../../../../server/chain/rpc/chain.ts";
import { findContractInfos } from "../../../../../server/market/indexer/currencies/contract-info.ts";

const addressOf = (digit: string): Hex => `0x${digit.repeat(40)}`;
const [native, stored, collectible, silent, account] = ["0", "1", "2", "3", "4"].map(addressOf) as [
  Hex,
  Hex,
  Hex,
  Hex,
  Hex,
];
const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, "0")}`;
const textOf = (text: string): Hex =>
  `0x${[32n, BigInt(text.length)].map((value) => word(value).slice(2)).join("")}${Buffer.from(text).toString("hex").padEnd(64, "0")}`;

/** The stored currency is known, and the type of no contract. */
const queries: Queries = {
  query: async (statement) => {
    const name = typeof statement === "string" ? "" : statement.name;
    const row = { address: stored, name: "Dollar", symbol: "USD", decimals: 6 };
    return (name === "stored-contracts" ? [row] : []) as never;
  },
};

/** A collectible without decimals, a contract that returns nothing, and an account. */
const chain = {
  callMany: async ({ calls }: { calls: readonly { to: Hex; data: Hex }[] }) =>
    calls.map(({ to, data }) => {
      if (to !== collectible) return "0x";
      return { "0x95d89b41": textOf("CAT"), "0x06fdde03": textOf("Cats") }[data as string];
    }),
  call: async ({ to, data }: { to: Hex; data: Hex }) => {
    if (to !== collectible || !data.startsWith("0x01ffc9a7")) return "0x";
    return word(data.startsWith("0x01ffc9a701ffc9a7") || data.startsWith("0x01ffc9a780ac58cd") ? 1n : 0n);
  },
  request: async (_: string, [address]: readonly unknown[]) => (address === silent ? "0x60" : "0x"),
} as unknown as Chain;

const infosOf = (openChain: () => Promise<Chain>, addresses: readonly Hex[]) =>
  findContractInfos(
    { queries, chainId: 137, types: new ContractTypes(), openChain, signal: AbortSignal.timeout(60_000) },
    addresses,
  );

test("stored currencies, contracts and accounts", async () => {
  const infos = await infosOf(async () => chain, [native, stored, collectible, silent, account]);
  const unknown = { name: "", symbol: "", decimals: undefined };
  expect(infos).toEqual([
    { ...unknown, address: native, source: "", type: "NATIVE", isDeployed: false },
    {
      address: stored,
      source: "host",
      name: "Dollar",
      symbol: "USD",
      decimals: 6,
      type: "UNKNOWN",
      isDeployed: true,
    },
    {
      ...unknown,
      address: collectible,
      source: "chain",
      name: "Cats",
      symbol: "CAT",
      type: "ERC721",
      isDeployed: true,
    },
    { ...unknown, address: silent, source: "chain", type: "UNKNOWN", isDeployed: true },
    { ...unknown, address: account, source: "", type: "UNKNOWN", isDeployed: false },
  ]);
});

test("without a node, only stored facts are known", async () => {
  const infos = await infosOf(() => Promise.reject(new NoNodes("none")), [stored, collectible]);
  expect(infos).toMatchObject([
    { source: "host", name: "Dollar", isDeployed: true },
    { source: "", name: "", type: "UNKNOWN", isDeployed: false },
  ]);
});

test("a chain that does not respond is a failure, not an unknown contract", async () => {
  const down = { ...chain, callMany: () => Promise.reject(new ChainFailure("down")) } as Chain;
  await expect(infosOf(async () => down, [collectible])).rejects.toThrow(ChainFailure);
});
