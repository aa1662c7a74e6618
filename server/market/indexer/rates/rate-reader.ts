import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../../base/storage/database.ts";
import type { Network } from "../../../chain/networks/network.ts";
import type { Chain } from "../../../chain/rpc/chain.ts";
import { askRates, sourcedOf } from "./ask-rates.ts";

export interface RateReaderPorts {
  readonly database: Database;
  readonly chainOf: (chainId: number) => Promise<Chain>;
  readonly events: RateEvents;
}

export interface RateEvents {
  /** The chain could not be asked. What it said before is used until it is too old. */
  readonly ratesUnread: (chainId: number, err: unknown) => void;
  /** A currency has no rate from now on, or one again (no reason). */
  readonly rateJudged: (rate: {
    readonly chainId: number;
    readonly currency: string;
    readonly source: string;
    readonly reason: string | undefined;
  }) => void;
}

/** Between two readings of a chain's sources, in milliseconds. */
const everyMs = 30_000;
/** How long a reading may take. */
const readMaxMs = 10_000;
/** What was read is used for so long, in seconds, while the chain cannot be asked again. */
const keptSeconds = 600;

/** Keeps what the chains say of currencies' worth as it is now. Every replica does, so that none waits for another. */
export class RateReader implements AsyncDisposable {
  readonly #ports: RateReaderPorts;
  readonly #ended = new AbortController();
  readonly #reasons = new Map<string, string | undefined>();
  readonly #running: readonly Promise<void>[];

  constructor(ports: RateReaderPorts, networks: readonly Network[]) {
    this.#ports = ports;
    this.#running = networks
      .filter(({ currencies }) => sourcedOf(currencies).length > 0)
      .map((network) => this.#run(network));
  }

  async #run(network: Network): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      try {
        await this.#read(network);
      } catch (err) {
        if (!signal.aborted) this.#ports.events.ratesUnread(network.chainId, err);
      }
      await sleep(everyMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  async #read({ chainId, currencies }: Network): Promise<void> {
    const { database, chainOf, events } = this.#ports;
    const nowSeconds = Math.floor(Date.now() / 1_000);
    const signal = AbortSignal.any([this.#ended.signal, AbortSignal.timeout(readMaxMs)]);
    const verdicts = await askRates(await chainOf(chainId), currencies, nowSeconds, signal);
    const rows = [...verdicts].map(([{ address, usdFrom }, verdict]) => {
      const source = `${usdFrom.kind === "feed" ? "feed" : "pool"} ${usdFrom.address}`;
      if ("reason" in verdict) return { address, source, reason: verdict.reason };
      const { rate, toldAt } = verdict;
      const oldAt = usdFrom.kind === "feed" ? toldAt + usdFrom.maxAgeSeconds : Number.POSITIVE_INFINITY;
      return {
        address,
        source,
        rate,
        told_at: toldAt,
        good_until: Math.min(oldAt, nowSeconds + keptSeconds),
      };
    });
    await database.query(keepSql, [chainId, JSON.stringify(rows)]);
    for (const { address, source, reason } of rows) {
      const key = `${chainId} ${address}`;
      // A text with a number in it, as an age, is not news each time.
      const isNews = this.#reasons.has(key)
        ? (this.#reasons.get(key) === undefined) !== (reason === undefined)
        : reason !== undefined;
      this.#reasons.set(key, reason);
      if (isNews) events.rateJudged({ chainId, currency: address, source, reason });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    await Promise.all(this.#running);
  }
}

const keepSql = {
  name: "currency-rates-keep",
  text: `
    insert into currency_rate (currency_id, source, usd_rate, good_until, told_at, reason, read_at)
    select currency.id, told.source, told.rate, to_timestamp(told.good_until), to_timestamp(told.told_at), told.reason, now()
    from json_to_recordset($2) as told (address text, source text, rate numeric, good_until float8, told_at float8, reason text)
    join currency on currency.chain_id = $1 and currency.address = told.address
    on conflict (currency_id) do update set source = excluded.source, usd_rate = excluded.usd_rate, good_until = excluded.good_until,
      told_at = excluded.told_at, reason = excluded.reason, read_at = excluded.read_at`,
};
