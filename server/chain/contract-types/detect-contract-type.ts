/** What kind of token a contract says that it is. */
import { CallReverted, type Chain, type Hex } from "../rpc/chain.ts";

export type ContractType = "ERC20" | "ERC721" | "ERC1155" | "ERC6909" | "UNKNOWN";

/** Interface ids of ERC-165. */
const interfaces = [
  ["ERC721", "80ac58cd"],
  ["ERC1155", "d9b67a26"],
  ["ERC6909", "0f632fb3"],
] as const;

const supportsInterface = (id: string): Hex => `0x01ffc9a7${id.padEnd(64, "0")}`;
const totalSupply: Hex = "0x18160ddd";
const decimals: Hex = "0x313ce567";
/** Of the zero address. */
const balanceOf: Hex = `0x70a08231${"0".repeat(64)}`;

/**
 * Eight calls at the same moment. Who supports ERC-165 is believed; else it is an ERC-20 token if it has a supply, balances and
 * decimals. Throws ChainFailure.
 */
export async function detectContractType(chain: Chain, to: Hex, signal: AbortSignal): Promise<ContractType> {
  const ask = async (data: Hex): Promise<Hex> => {
    try {
      return await chain.call({ to, data, signal });
    } catch (err) {
      if (err instanceof CallReverted) return "0x";
      throw err;
    }
  };
  const [is165, isAny, supply, balance, digits, ...supported] = await Promise.all([
    ask(supportsInterface("01ffc9a7")),
    // Who says yes to this says yes to everything: ERC-165, "How to detect".
    ask(supportsInterface("ffffffff")),
    ask(totalSupply),
    ask(balanceOf),
    ask(decimals),
    ...interfaces.map(([, id]) => ask(supportsInterface(id))),
  ]);
  if (is165 === yes && isAny !== yes) {
    const found = interfaces.find((_, index) => supported[index] === yes);
    if (found !== undefined) return found[0];
  }
  const isToken = isWord(supply) && isWord(balance) && isWord(digits) && BigInt(digits) <= 255n;
  return isToken ? "ERC20" : "UNKNOWN";
}

const yes: Hex = `0x${"1".padStart(64, "0")}`;

function isWord(answer: Hex | undefined): answer is Hex {
  return answer?.length === 66;
}
