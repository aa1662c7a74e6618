/** Detects which token standard a contract implements. */
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
/** `balanceOf(address(0))`. */
const balanceOf: Hex = `0x70a08231${"0".repeat(64)}`;

/**
 * Makes eight concurrent calls. Trusts what a contract reports by ERC-165. Any other contract is an ERC-20 token if it has a supply,
 * balances and decimals. Throws ChainFailure.
 */
export async function detectContractType(chain: Chain, to: Hex, signal: AbortSignal): Promise<ContractType> {
  const callOrEmpty = async (data: Hex): Promise<Hex> => {
    try {
      return await chain.call({ to, data, signal });
    } catch (err) {
      if (err instanceof CallReverted) return "0x";
      throw err;
    }
  };
  const [erc165, anyInterface, supply, balance, digits, ...supported] = await Promise.all([
    callOrEmpty(supportsInterface("01ffc9a7")),
    // A contract that returns true for this id returns true for every id: ERC-165, "How to detect".
    callOrEmpty(supportsInterface("ffffffff")),
    callOrEmpty(totalSupply),
    callOrEmpty(balanceOf),
    callOrEmpty(decimals),
    ...interfaces.map(([, id]) => callOrEmpty(supportsInterface(id))),
  ]);
  if (erc165 === encodedTrue && anyInterface !== encodedTrue) {
    const found = interfaces.find((_, index) => supported[index] === encodedTrue);
    if (found !== undefined) return found[0];
  }
  const isToken = isWord(supply) && isWord(balance) && isWord(digits) && BigInt(digits) <= 255n;
  return isToken ? "ERC20" : "UNKNOWN";
}

const encodedTrue: Hex = `0x${"1".padStart(64, "0")}`;

function isWord(result: Hex | undefined): result is Hex {
  return result?.length === 66;
}
