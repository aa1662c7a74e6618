import type { Currency } from "../../../chain/networks/network.ts";
import type { RateSource } from "../../../chain/networks/rate-sources.ts";
import type { Chain, Hex } from "../../../chain/rpc/chain.ts";
import { readText } from "../currencies/ask-currencies.ts";
import { judgeFeed, judgePool, type Verdict } from "./judge.ts";

/** A currency whose configuration says where its worth is to be read. */
export type SourcedCurrency = Currency & { readonly usdFrom: RateSource };

export function sourcedOf(currencies: readonly Currency[]): readonly SourcedCurrency[] {
  return currencies.filter((currency): currency is SourcedCurrency => currency.usdFrom !== undefined);
}

/** Of one answer: a description, or what a pool has observed. */
const answerMaxBytes = 512;

type Call = { readonly to: Hex; readonly data: Hex };

/** Asks all sources of a chain in one go, as of one block. What one of them answers harms no other. Throws ChainFailure. */
export async function askRates(
  chain: Chain,
  currencies: readonly Currency[],
  nowSeconds: number,
  signal: AbortSignal,
): Promise<ReadonlyMap<SourcedCurrency, Verdict>> {
  const sourced = sourcedOf(currencies);
  const asked = sourced.map((currency) => callsOf(currency.usdFrom));
  const answers = (await chain.callMany({ calls: asked.flat(), answerMaxBytes, signal })).values();
  return new Map(
    sourced.map((currency, index) => {
      const own = (asked[index] ?? []).map(() => answers.next().value);
      return [currency, judge(currency, own, currencies, nowSeconds)] as const;
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

function judge(
  { usdFrom, decimals }: SourcedCurrency,
  answers: readonly (Hex | undefined)[],
  currencies: readonly Currency[],
  nowSeconds: number,
): Verdict {
  if (usdFrom.kind === "feed") {
    const [round, digits, description] = answers;
    return judgeFeed({ round, decimals: digits, description: readText(description) }, usdFrom, nowSeconds);
  }
  const other = currencies.find(({ address }) => address === usdFrom.against);
  if (other?.usdRate === undefined) return { reason: `${usdFrom.against} has no usdRate` };
  const [token0, token1, state, held] = answers;
  const sides = { decimals, otherDecimals: other.decimals, otherRate: other.usdRate };
  return judgePool({ tokens: [token0, token1], state, held }, usdFrom, sides, nowSeconds);
}

function wordOf(hex: string): string {
  return hex.padStart(64, "0");
}
