import type { Chain, Hex } from "../../../chain/rpc/chain.ts";
import { wordAt } from "../../../chain/rpc/words.ts";
import type { Claim, FactReading } from "./facts.ts";

/** Largest response, in bytes: a royalty is two words, all other results are one. */
const maxResponseBytes = 64;

/** Sale price for which royalties are queried; the result is the royalty per 10^18. */
const price = 10n ** 18n;

type Call = { readonly to: Hex; readonly data: Hex };
type CallResult = Hex | undefined;

/**
 * Reads facts from contracts as of a block. A contract that fails, loops or responds with too much yields a reason instead. Throws
 * ChainFailure.
 */
export async function readFacts(
  chain: Chain,
  facts: readonly Claim[],
  blockHash: Hex,
  signal: AbortSignal,
): Promise<readonly FactReading[]> {
  const queries = facts.map((fact) => ({ id: fact.id, ...queryOf(fact) }));
  const calls = queries.flatMap((query) => query.calls);
  const responses = await chain.callMany({ calls, maxResultBytes: maxResponseBytes, blockHash, signal });
  const next = responses.values();
  return queries.map(({ id, calls: own, read }) => ({ id, ...read(own.map(() => next.next().value)) }));
}

interface FactQuery {
  readonly calls: readonly Call[];
  readonly read: (results: readonly CallResult[]) => Omit<FactReading, "id">;
}

function queryOf({ kind, contract, tokenId, holder = "0x", spender }: Claim): FactQuery {
  const to = (address: Hex, selector: string, ...words: readonly (Hex | bigint)[]): Call => ({
    to: address,
    data: `0x${selector}${words.map(wordOf).join("")}`,
  });
  if (kind === "royalty")
    // getRoyaltyInfo(address,uint256,uint256) of the market, which calls the token (ERC-2981) or overrides it.
    return { calls: [to(spender, "36de9742", contract, tokenId ?? 0n, price)], read: readRoyalty };
  if (tokenId === undefined)
    return {
      // balanceOf(address), allowance(address,address)
      calls: [to(contract, "70a08231", holder), to(contract, "dd62ed3e", holder, spender)],
      read: readCurrency,
    };
  return {
    // balanceOf(address,uint256), isApprovedForAll(address,address), ownerOf(uint256), getApproved(uint256)
    calls: [
      to(contract, "00fdd58e", holder, tokenId),
      to(contract, "e985e9c5", holder, spender),
      to(contract, "6352211e", tokenId),
      to(contract, "081812fc", tokenId),
    ],
    read: (results) => readToken(results, holder, spender),
  };
}

function wordOf(value: Hex | bigint): string {
  return (typeof value === "bigint" ? value.toString(16) : value.slice(2)).padStart(64, "0");
}

function readRoyalty([royaltyInfo]: readonly CallResult[]): Omit<FactReading, "id"> {
  const [recipient, royalty] = [wordAt(royaltyInfo, 0), wordAt(royaltyInfo, 1)];
  if (recipient === undefined || royalty === undefined) return unreadable("no response from getRoyaltyInfo");
  return { amount: royalty, recipient: addressOf(recipient) };
}

function readCurrency([balanceOf, allowance]: readonly CallResult[]): Omit<FactReading, "id"> {
  const [balance, allowed] = [wordAt(balanceOf, 0), wordAt(allowance, 0)];
  if (balance === undefined || allowed === undefined)
    return unreadable("no response from balanceOf or allowance");
  // The market can take no more than its allowance.
  // biome-ignore lint/complexity/useMathMinMax: these are bigints.
  return { amount: balance < allowed ? balance : allowed };
}

/** A contract that reports a balance per token is treated as ERC-1155, whatever its interface ids say. */
function readToken(
  [balanceOf, isApprovedForAll, ownerOf, getApproved]: readonly CallResult[],
  holder: Hex,
  spender: Hex,
): Omit<FactReading, "id"> {
  const balance = wordAt(balanceOf, 0);
  const owner = wordAt(ownerOf, 0);
  if (balance === undefined && owner === undefined)
    return unreadable("no response from balanceOf or ownerOf");
  const isForAll = wordAt(isApprovedForAll, 0) === 1n;
  if (balance !== undefined) return { amount: isForAll ? balance : 0n };
  const approved = wordAt(getApproved, 0);
  const isApproved = isForAll || (approved !== undefined && addressOf(approved) === spender);
  return { amount: owner !== undefined && addressOf(owner) === holder && isApproved ? 1n : 0n };
}

function unreadable(reason: string): Omit<FactReading, "id"> {
  return { amount: undefined, reason };
}

function addressOf(word: bigint): string {
  return `0x${(word % 2n ** 160n).toString(16).padStart(40, "0")}`;
}
