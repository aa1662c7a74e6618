import { repeatUntil } from "../../../base/repeat.ts";
import type { Database } from "../../../base/storage/database.ts";
import type { Currency, Network } from "../../../chain/networks/network.ts";
import type { RateSource } from "../../../chain/networks/rate-sources.ts";
import type { Chain, Hex } from "../../../chain/rpc/chain.ts";
import { decodeText } from "../currencies/read-currencies.ts";
import { evaluateFeed, evaluatePool, type RateResult } from "./evaluate.ts";

interface RateReaderDependencies {
  readonly database: Database;
  readonly chainOf: (chainId: number) => Promise<Chain>;
  readonly events: RateEvents;
}

export interface RateEvents {
  /** The chain could not be queried. Previous rates stay in use until they are too old. */
  readonly ratesFailed: (chainId: number, err: unknown) => void;
  /** A currency lost its rate, or has one again (undefined `reason`). */
  readonly rateChanged: (rate: {
    readonly chainId: number;
    readonly currency: string;
    readonly source: string;
    readonly reason: string | undefined;
  }) => void;
}

/** Interval between reads of a chain's sources, in milliseconds. */
export const readIntervalMs = 30_000;
/** Timeout of a read, in milliseconds. */
const maxReadMs = 10_000;
/** How long a rate stays in use while the chain cannot be queried, in seconds. */
const maxUnreadSeconds = 600;

/** Reads the rates of feeds and pools periodically. Every replica reads them, so that none depends on another. */
export class RateReader implements AsyncDisposable {
  readonly #dependencies: RateReaderDependencies;
  readonly #ended = new AbortController();
  readonly #reasons = new Map<string, string | undefined>();
  readonly #running: readonly Promise<void>[];

  constructor(dependencies: RateReaderDependencies, networks: readonly Network[]) {
    this.#dependencies = dependencies;
    this.#running = networks
      .filter(({ currencies }) => currenciesWithSource(currencies).length > 0)
      .map((network) =>
        repeatUntil(
          this.#ended.signal,
          readIntervalMs,
          () => this.#read(network),
          (err) => dependencies.events.ratesFailed(network.chainId, err),
        ),
      );
  }

  async #read({ chainId, currencies }: Network): Promise<void> {
    const { database, chainOf, events } = this.#dependencies;
    const nowSeconds = Math.floor(Date.now() / 1_000);
    const signal = AbortSignal.any([this.#ended.signal, AbortSignal.timeout(maxReadMs)]);
    const results = await readRates(await chainOf(chainId), currencies, nowSeconds, signal);
    const rows = [...results].map(([{ address, usdFrom }, result]) => {
      const source = `${usdFrom.kind === "feed" ? "feed" : "pool"} ${usdFrom.address}`;
      if ("reason" in result) return { address, source, reason: result.reason };
      const { rate, reportedAt } = result;
      const expiresAt =
        usdFrom.kind === "feed" ? reportedAt + usdFrom.maxAgeSeconds : Number.POSITIVE_INFINITY;
      return {
        address,
        source,
        rate,
        told_at: reportedAt,
        good_until: Math.min(expiresAt, nowSeconds + maxUnreadSeconds),
      };
    });
    await database.query(storeSql, [chainId, JSON.stringify(rows)]);
    for (const { address, source, reason } of rows) {
      const key = `${chainId} ${address}`;
      // Reasons may contain numbers, such as an age: only gaining or losing a rate is reported.
      const isChange = this.#reasons.has(key)
        ? (this.#reasons.get(key) === undefined) !== (reason === undefined)
        : reason !== undefined;
      this.#reasons.set(key, reason);
      if (isChange) events.rateChanged({ chainId, currency: address, source, reason });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    await Promise.all(this.#running);
  }
}

const storeSql = {
  name: "currency-rates-keep",
  text: `
    insert into currency_rate (currency_id, source, usd_rate, good_until, told_at, reason, read_at)
    select currency.id, reported.source, reported.rate, to_timestamp(reported.good_until), to_timestamp(reported.told_at), reported.reason, now()
    from json_to_recordset($2) as reported (address text, source text, rate numeric, good_until float8, told_at float8, reason text)
    join currency on currency.chain_id = $1 and currency.address = reported.address
    on conflict (currency_id) do update set source = excluded.source, usd_rate = excluded.usd_rate, good_until = excluded.good_until,
      told_at = excluded.told_at, reason = excluded.reason, read_at = excluded.read_at`,
};

/** A currency with a configured rate source. */
type SourcedCurrency = Currency & { readonly usdFrom: RateSource };

function currenciesWithSource(currencies: readonly Currency[]): readonly SourcedCurrency[] {
  return currencies.filter((currency): currency is SourcedCurrency => currency.usdFrom !== undefined);
}

/** Largest response: a feed's description, or a pool's observations. */
const maxResponseBytes = 512;

type Call = { readonly to: Hex; readonly data: Hex };

/**
 * Reads all rate sources of a chain in one batch, as of one block. An invalid response affects only its own currency. Throws ChainFailure.
 */
async function readRates(
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
