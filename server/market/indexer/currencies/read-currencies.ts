import type { Chain, Hex } from "../../../chain/rpc/chain.ts";

/** What a currency's contract reports about itself. */
export interface CurrencyMetadata {
  readonly address: Hex;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
}

/** Selectors of `decimals()`, `symbol()`, `name()` (ERC-20). */
const selectors: readonly Hex[] = ["0x313ce567", "0x95d89b41", "0x06fdde03"];
const maxNameLength = 64;
/** Largest response, in bytes: a text of `maxNameLength` characters, and the two words before it. */
const maxResponseBytes = 320;
/** With more decimals, a uint256 could not hold one whole unit. */
const maxDecimals = 77n;

/** What a contract reports about itself; texts are "" if missing. */
export interface ContractTexts {
  readonly address: Hex;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: bigint | undefined;
  /** False: it returned nothing, as an address without code does. */
  readonly hasResponded: boolean;
}

/** Throws ChainFailure. */
export async function readContractTexts(
  chain: Chain,
  addresses: readonly Hex[],
  signal?: AbortSignal,
): Promise<readonly ContractTexts[]> {
  const calls = addresses.flatMap((to) => selectors.map((data) => ({ to, data })));
  const responses = await chain.callMany({ calls, maxResultBytes: maxResponseBytes, signal });
  return addresses.map((address, index) => {
    const own = responses.slice(index * selectors.length, (index + 1) * selectors.length);
    const [decimals, symbol, name] = own;
    return {
      address,
      symbol: decodeText(symbol),
      name: decodeText(name),
      decimals: decimals?.length === 66 ? BigInt(decimals) : undefined,
      hasResponded: own.some((response) => response !== "0x"),
    };
  });
}

/** Reads the currencies that report their decimals. Symbol and name are optional in ERC-20. Throws ChainFailure. */
export async function readCurrencies(
  chain: Chain,
  addresses: readonly Hex[],
  signal?: AbortSignal,
): Promise<readonly CurrencyMetadata[]> {
  const texts = await readContractTexts(chain, addresses, signal);
  return texts.flatMap(({ address, symbol, name, decimals }) =>
    decimals === undefined || decimals > maxDecimals
      ? []
      : [{ address, symbol, name, decimals: Number(decimals) }],
  );
}

/** Decodes a `string`, or the `bytes32` of older contracts. */
export function decodeText(response: Hex | undefined): string {
  const bytes = Buffer.from((response ?? "0x").slice(2), "hex");
  if (bytes.length === 32) return sanitize(bytes);
  if (bytes.length < 64 || bytes.readBigUInt64BE(24) !== 32n) return "";
  const length = bytes.readBigUInt64BE(56);
  return length > BigInt(bytes.length - 64) ? "" : sanitize(bytes.subarray(64, 64 + Number(length)));
}

/** Removes control and invisible characters, and truncates. */
function sanitize(bytes: Buffer): string {
  const text = bytes.toString("utf8").replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\uFFFD]/gu, "");
  return [...text.trim()].slice(0, maxNameLength).join("");
}
