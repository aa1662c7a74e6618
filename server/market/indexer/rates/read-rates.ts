import type { Currency } from "../../../chain/networks/network.ts";
import type { RateSource } from "../../../chain/networks/rate-sources.ts";
import type { Chain, Hex } from "../../../chain/rpc/chain.ts";
import { decodeText } from "../currencies/read-currencies.ts";
import { evaluateFeed, evaluatePool, type RateResult } from "./evaluate.ts";

/** A currency with a configured rate source. */
export type SourcedCurrency = Currency & { readonly usdFrom: RateSource };

export function currenciesWithSource(currencies: readonly Currency[]): readonly SourcedCurrency[] {
  return currencies.filter((currency): currency is SourcedCurrency => currency.usdFrom !== undefined);
}

/** Largest response: a feed's description, or a pool's observations. */
const maxResponseBytes = 512;

type Call = { readonly to: Hex; readonly data: Hex };

/**
 * Reads all rate sources of a chain in one batch, as of one block. An invalid response affects only its own currency. Throws ChainFailure.
 */
export async function readRates(
  chain: Chain,
  currencies: readonly Currency[],
  nowSeconds: number,
  signal: AbortSignal,
): Promise<ReadonlyMap<SourcedCurrency, RateResult>> {
  const sourced = currenciesWithSource(currencies);
  const calls = sourced.map((currency) => callsOf(currency.usdFrom));
  const responses = (
    await chain.callMany({ calls: calls.flat(), maxResultBytes: maxResponseBytes, signal })
  ).values();
  return new Map(
    sourced.map((currency, index) => {
      const results = (calls[index] ?? []).map(() => responses.next().value);
      return [currency, evaluate(currency, results, currencies, nowSeconds)] as const;
    }),
  );
}

function callsOf(source: RateSource): readonly Call[] {
  const to = source.address as Hex;
  if (source.kind === "feed")
    // latestRoundData(), decimals(), description()
    return (["0xfeaf968c", "0x313ce567", "0x7284e416"] as const).map((data) => ({ to, data }));
  // balanceOf(address)
  const held: Call = { to: source.against as Hex, data: `0x70a08231${wordOf(source.address.slice(2))}` };
  // token0(), token1(), and getReserves() or observe(uint32[])
  const window = source.windowSeconds.toString(16);
  const state: Hex =
    source.kind === "v2" ? "0x0902f1ac" : `0x883bdbfd${["20", "2", window, "0"].map(wordOf).join("")}`;
  return [...(["0x0dfe1681", "0xd21220a7", state] as const).map((data) => ({ to, data })), held];
}

function evaluate(
  { usdFrom, decimals }: SourcedCurrency,
  responses: readonly (Hex | undefined)[],
  currencies: readonly Currency[],
  nowSeconds: number,
): RateResult {
  if (usdFrom.kind === "feed") {
    const [round, digits, description] = responses;
    return evaluateFeed(
      { round, decimals: digits, description: decodeText(description) },
      usdFrom,
      nowSeconds,
    );
  }
  const other = currencies.find(({ address }) => address === usdFrom.against);
  if (other?.usdRate === undefined) return { reason: `${usdFrom.against} has no usdRate` };
  const [token0, token1, state, held] = responses;
  const sides = { decimals, otherDecimals: other.decimals, otherRate: other.usdRate };
  return evaluatePool({ tokens: [token0, token1], state, held }, usdFrom, sides, nowSeconds);
}

function wordOf(hex: string): string {
  return hex.padStart(64, "0");
}
