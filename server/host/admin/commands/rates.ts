import type { Queries } from "../../../base/storage/database.ts";
import { utcSeconds } from "../../../base/storage/sql.ts";
import type { Network } from "../../../chain/networks/network.ts";
import { type Command, networkNamed, networksOf } from "../command.ts";

export const rates: readonly Command[] = [
  {
    name: "rates list",
    help: "list currencies with their rate in US dollars, its source, and the reason if the source is not trusted",
    positionals: ["[NETWORK]"],
    run: async (context, { positionals: [name] }) => {
      const { config } = context;
      const networks = name === undefined ? networksOf(config).all : [networkNamed(config, name)];
      const rows = await listRates(await context.database(), networks);
      return {
        list: rows.map(({ reportedAt, ...row }) => ({
          ...row,
          reportedAt: reportedAt?.toISOString() ?? null,
        })),
      };
    },
  },
];

export interface RateState {
  readonly network: string;
  readonly symbol: string;
  readonly address: string;
  /** Dollars per whole unit. Null without a rate; orders in such a currency rank behind all priced orders. */
  readonly usdRate: string | null;
  readonly source: string;
  readonly reportedAt: Date | null;
  /** Why the source's value is not used. */
  readonly reason: string | null;
}

/** Returns all currencies that have a rate or a rate source. */
export async function listRates(
  queries: Queries,
  networks: readonly Network[],
): Promise<readonly RateState[]> {
  const configured = networks.flatMap(({ chainId, name, currencies }) =>
    currencies.map(({ address, symbol, usdRate, usdFrom }) => ({
      chain_id: chainId,
      network: name,
      address,
      symbol,
      fixed: usdRate,
      source:
        usdFrom === undefined ? undefined : `${usdFrom.kind === "feed" ? "feed" : "pool"} ${usdFrom.address}`,
    })),
  );
  return queries.query<RateState>(
    `select network, coalesce(nullif(currency.symbol, ''), given.symbol) as symbol, currency.address,
       (case when given.source is null then coalesce(currency.usd_rate, given.fixed)
         when reported.good_until > now() then reported.usd_rate end)::text as "usdRate",
       case when given.source is not null then given.source when currency.usd_rate is not null then 'import' else 'setting' end as source,
       reported.told_at as "reportedAt",
       case when given.source is null then null
         when reported.currency_id is null then 'no host has read it yet'
         when reported.reason is not null then reported.reason
         when reported.good_until <= now() then 'it was last read at ' || ${utcSeconds("reported.read_at")}
         end as reason
     from currency
     join unnest($1::bigint[], $2::text[]) as served (chain_id, network) using (chain_id)
     left join json_to_recordset($3) as given (chain_id bigint, address text, symbol text, fixed numeric, source text)
       using (chain_id, address)
     left join currency_rate reported on reported.currency_id = currency.id and reported.source = given.source
     where currency.usd_rate is not null or given.fixed is not null or given.source is not null
     order by currency.chain_id, currency.id`,
    [networks.map(({ chainId }) => chainId), networks.map(({ name }) => name), JSON.stringify(configured)],
  );
}
