/** What is known of a contract: as a currency that the host has stored, or as the contract reports it. */
import type { Queries } from "../../../base/storage/database.ts";
import type { ContractType, ContractTypes } from "../../../chain/contract-types/contract-types.ts";
import { zeroAddress } from "../../../chain/networks/network.ts";
import { type Chain, type Hex, NoNodes } from "../../../chain/rpc/chain.ts";
import { readContractTexts } from "./read-currencies.ts";

export interface ContractInfo {
  readonly address: Hex;
  /** Where the texts are from. */
  readonly source: "host" | "chain" | "";
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number | undefined;
  readonly type: ContractType | "NATIVE";
  readonly isDeployed: boolean;
}

interface ContractSource {
  readonly queries: Queries;
  readonly chainId: number;
  readonly types: ContractTypes;
  /** Throws NoNodes if the host has no node of the chain. */
  readonly openChain: () => Promise<Chain>;
  readonly signal: AbortSignal;
}

/** Returns the contracts in the given order. Without a node, only stored facts are known. Throws ChainFailure. */
export async function findContractInfos(
  { queries, chainId, types, openChain, signal }: ContractSource,
  addresses: readonly Hex[],
): Promise<readonly ContractInfo[]> {
  const rows = await queries.query<StoredCurrency>(storedSql, [chainId, addresses]);
  const stored = new Map(rows.map((row) => [row.address, row]));
  const chain = await openChain().catch((err: unknown) => {
    if (err instanceof NoNodes) return undefined;
    throw err;
  });
  const asked = addresses.filter((address) => address !== zeroAddress && !stored.has(address));
  const texts = chain === undefined ? [] : await readContractTexts(chain, asked, signal);
  const reported = new Map(texts.map((text) => [text.address, text]));

  async function infoOf(address: Hex): Promise<ContractInfo> {
    const currency = stored.get(address);
    const isNative = address === zeroAddress;
    const text = reported.get(address);
    const isEmpty = isNative || (text?.hasResponded === false && (await hasNoCode(address)));
    const type = isEmpty ? "UNKNOWN" : await types.of(queries, chainId, address, openChain);
    return {
      address,
      source: currency !== undefined ? "host" : isEmpty || text === undefined ? "" : "chain",
      name: currency?.name ?? text?.name ?? "",
      symbol: currency?.symbol ?? text?.symbol ?? "",
      decimals: currency?.decimals ?? byteOf(text?.decimals),
      type: isNative ? "NATIVE" : type,
      isDeployed: !isEmpty && (text !== undefined || currency !== undefined || type !== "UNKNOWN"),
    };
  }

  /** A contract may return nothing from each function, as an address without code does. */
  async function hasNoCode(address: Hex): Promise<boolean> {
    return (await chain?.request("eth_getCode", [address, "latest"], signal)) === "0x";
  }

  const infos: ContractInfo[] = [];
  // One after the other: detecting the type of a contract takes eight calls.
  for (const address of addresses) infos.push(await infoOf(address));
  return infos;
}

function byteOf(value: bigint | undefined): number | undefined {
  return value === undefined || value > 255n ? undefined : Number(value);
}

interface StoredCurrency {
  readonly address: Hex;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
}

const storedSql = {
  name: "stored-contracts",
  text: "select address, name, symbol, decimals from currency where chain_id = $1 and address = any($2::text[]) and is_known",
};
