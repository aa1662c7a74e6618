/** The types of contracts: each is detected once, then stored in the database and cached in memory. */
import type { Queries } from "../../base/storage/database.ts";
import { type Chain, type Hex, unlessReverted } from "../rpc/chain.ts";

/** How long UNKNOWN is cached, in milliseconds: a proxy may get its code later, and the chain may have been unavailable. */
const unknownTtlMs = 600_000;
/** Timeout for all calls for one contract, in milliseconds: a block waits for the result. */
const detectTimeoutMs = 2_000;
/** Cached contracts; about 10 MB. */
const maxCached = 50_000;

const readSql = {
  name: "contract-type",
  text: "select type from contract_type where chain_id = $1 and address = $2",
};
const storeSql = {
  name: "contract-type-keep",
  text: "insert into contract_type (chain_id, address, type) values ($1, $2, $3) on conflict do nothing",
};

export class ContractTypes {
  readonly #cache = new Map<string, { readonly type: ContractType; readonly until: number }>();

  /** Returns UNKNOWN if the contract implements no known standard, or the chain does not respond in time. */
  async of(
    queries: Queries,
    chainId: number,
    address: Hex,
    openChain: () => Promise<Chain>,
  ): Promise<ContractType> {
    const key = `${chainId}/${address}`;
    const cached = this.#cache.get(key);
    if (cached !== undefined && cached.until > performance.now()) return cached.type;
    const bytes = Buffer.from(address.slice(2), "hex");
    const [row] = await queries.query<{ type: ContractType }>(readSql, [chainId, bytes]);
    const type = row?.type ?? (await detectInTime(openChain, address));
    if (row === undefined && type !== "UNKNOWN") await queries.query(storeSql, [chainId, bytes, type]);
    if (this.#cache.size >= maxCached) this.#cache.clear();
    this.#cache.set(key, {
      type,
      until: type === "UNKNOWN" ? performance.now() + unknownTtlMs : Number.POSITIVE_INFINITY,
    });
    return type;
  }
}

async function detectInTime(openChain: () => Promise<Chain>, address: Hex): Promise<ContractType> {
  try {
    return await detectContractType(await openChain(), address, AbortSignal.timeout(detectTimeoutMs));
  } catch {
    return "UNKNOWN";
  }
}

/* Detects which token standard a contract implements. */

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
  const callOrEmpty = (data: Hex): Promise<Hex> => unlessReverted(chain.call({ to, data, signal }), "0x");
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
