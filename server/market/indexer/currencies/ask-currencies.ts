import type { Chain, Hex } from "../../../chain/rpc/chain.ts";

/** What the contract of a currency says of itself. */
export interface CurrencyFacts {
  readonly address: Hex;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
}

/** First four bytes of a call: `decimals()`, `symbol()`, `name()` (ERC-20). */
const selectors: readonly Hex[] = ["0x313ce567", "0x95d89b41", "0x06fdde03"];
/** Longer names are cut; some contracts write essays. */
const nameMax = 64;
/** Of one answer: a text of that length, and the two words before it. */
const answerMaxBytes = 320;
/** More digits than a number of the chain has. */
const decimalsMax = 77n;

/** Of those that say how many digits they have; a symbol and a name are optional in ERC-20, and "" where there is none. Throws ChainFailure. */
export async function askCurrencies(
  chain: Chain,
  addresses: readonly Hex[],
  signal?: AbortSignal,
): Promise<readonly CurrencyFacts[]> {
  const calls = addresses.flatMap((to) => selectors.map((data) => ({ to, data })));
  const answers = await chain.callMany({ calls, answerMaxBytes, signal });
  return addresses.flatMap((address, index) => {
    const [decimals, symbol, name] = answers.slice(index * selectors.length);
    const digits = decimals?.length === 66 ? BigInt(decimals) : undefined;
    if (digits === undefined || digits > decimalsMax) return [];
    return [{ address, symbol: readText(symbol), name: readText(name), decimals: Number(digits) }];
  });
}

/** A `string`, or the `bytes32` of contracts from before there were any. */
export function readText(answer: Hex | undefined): string {
  const bytes = Buffer.from((answer ?? "0x").slice(2), "hex");
  if (bytes.length === 32) return cut(bytes);
  if (bytes.length < 64 || bytes.readBigUInt64BE(24) !== 32n) return "";
  const length = bytes.readBigUInt64BE(56);
  return length > BigInt(bytes.length - 64) ? "" : cut(bytes.subarray(64, 64 + Number(length)));
}

/** Without what a terminal or a page would take for a command. */
function cut(bytes: Buffer): string {
  const text = bytes.toString("utf8").replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\uFFFD]/gu, "");
  return [...text.trim()].slice(0, nameMax).join("");
}
