import { encodeDeployData, type Hex, keccak256 } from "viem";
import { describe, expect, test } from "vitest";
import { defaultExchanges } from "../../../../server/chain/networks/default-exchanges.ts";
import { readNetworks } from "../../../../server/chain/networks/settings.ts";
import { Chains } from "../../../../server/chain/rpc/chains.ts";
import { exchangeArtifact } from "../../../../server/chain/sandbox/exchanges.ts";
import { localNetwork } from "../../../support/local-network.ts";
import { noSandbox, useSandbox } from "../../../support/sandbox.ts";

const artifacts = { v2: "v2Router", swapRouter: "swapRouter", swapRouter02: "swapRouter02" } as const;
const rows = Object.entries(defaultExchanges).flatMap(([chainId, { wrappedCoin, routers }]) =>
  routers.map((router) => ({ chainId, wrappedCoin, ...router })),
);

describe.skipIf(noSandbox)("the recorded code hash of a router is that of Uniswap's build", () => {
  const sandbox = useSandbox();

  test.each(rows)("$chainId $kind", async ({ kind, contracts, wrappedCoin, codeHash }) => {
    const { abi, bytecode } = exchangeArtifact(artifacts[kind]);
    const data = encodeDeployData({ abi, bytecode, args: [...contracts, wrappedCoin] });
    const chain = await new Chains().of(localNetwork(sandbox().rpcUrl));
    const code = (await chain.call({ data })) as Hex;
    expect(code.length).toBeGreaterThan(10_000);
    expect(keccak256(code)).toBe(codeHash);
  });
});

test("a public chain has default exchanges and connectors, unless the operator configures others or none", () => {
  const read = (details: object) => {
    const { networks, errors } = readNetworks({
      networks: ["polygon"],
      rpcUrls: [],
      networkDetails: { polygon: details },
    });
    expect(errors).toEqual([]);
    return networks[0];
  };
  const byDefault = read({});
  expect(byDefault?.exchanges.map(({ kind }) => kind)).toEqual(["v2", "swapRouter"]);
  expect(byDefault?.exchanges.every(({ codeHash }) => codeHash !== undefined)).toBe(true);
  expect(byDefault?.connectors).toContain("0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270");
  expect(read({ exchanges: [], connectors: [] })).toMatchObject({ exchanges: [], connectors: [] });
});

test("addresses and hashes are in lower case", () => {
  for (const { router, contracts, wrappedCoin, codeHash } of rows) {
    for (const address of [router, ...contracts, wrappedCoin]) expect(address).toMatch(/^0x[0-9a-f]{40}$/);
    expect(codeHash).toMatch(/^0x[0-9a-f]{64}$/);
  }
  for (const { connectors } of Object.values(defaultExchanges))
    for (const address of connectors) expect(address).toMatch(/^0x[0-9a-f]{40}$/);
});
