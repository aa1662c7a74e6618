import { describe, expect, test } from "vitest";
import { detectContractType } from "../../../../server/chain/contract-types/contract-types.ts";
import { CallReverted, type Chain, ChainFailure, type Hex } from "../../../../server/chain/rpc/chain.ts";
import { Chains } from "../../../../server/chain/rpc/chains.ts";
import { localNetwork } from "../../../support/local-network.ts";
import { noSandbox, useSandbox } from "../../../support/sandbox.ts";

const signal = AbortSignal.timeout(60_000);
const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, "0")}`;
const address: Hex = `0x${"11".repeat(20)}`;

/** A contract that returns these results by function selector, and reverts on all other calls. */
function contract(answers: Readonly<Record<string, Hex>>): Chain {
  return {
    async call({ data }) {
      const answer = Object.entries(answers).find(([start]) => data.startsWith(start));
      if (answer === undefined) throw new CallReverted("0x");
      return answer[1];
    },
    callCode: () => Promise.reject(new ChainFailure("not asked")),
    callMany: () => Promise.reject(new ChainFailure("not asked")),
    request: () => Promise.reject(new ChainFailure("not asked")),
  };
}

const erc165 = { "0x01ffc9a701ffc9a7": word(1n), "0x01ffc9a7ffffffff": word(0n) };
const erc20 = { "0x18160ddd": word(5n), "0x70a08231": word(0n), "0x313ce567": word(18n) };

test.each<[string, Readonly<Record<string, Hex>>]>([
  ["ERC721", { ...erc165, "0x01ffc9a780ac58cd": word(1n) }],
  ["ERC1155", { ...erc165, "0x01ffc9a7d9b67a26": word(1n) }],
  ["ERC6909", { ...erc165, "0x01ffc9a70f632fb3": word(1n) }],
  ["ERC20", erc20],
  ["ERC20", { ...erc165, ...erc20 }],
  // A contract that claims to support everything is treated like one without ERC-165.
  ["UNKNOWN", { "0x01ffc9a7": word(1n) }],
  ["ERC20", { "0x01ffc9a7": word(1n), ...erc20 }],
  ["UNKNOWN", { "0x": "0x" }],
  ["UNKNOWN", { ...erc20, "0x313ce567": word(256n) }],
  ["UNKNOWN", { ...erc20, "0x18160ddd": `0x${"00".repeat(64)}` }],
  ["UNKNOWN", {}],
])("%s", async (type, answers) => {
  expect(await detectContractType(contract(answers), address, signal)).toBe(type);
});

describe.skipIf(noSandbox)("on a chain", () => {
  const sandbox = useSandbox();
  test("a token is an ERC20, and an account or another contract is UNKNOWN", async () => {
    const { rpcUrl, tokens, accounts, exchanges } = sandbox();
    const chain = await new Chains().of(localNetwork(rpcUrl));
    expect(await detectContractType(chain, tokens.usd, signal)).toBe("ERC20");
    expect(await detectContractType(chain, accounts[0] ?? address, signal)).toBe("UNKNOWN");
    expect(await detectContractType(chain, exchanges.v2Router, signal)).toBe("UNKNOWN");
  });
});
