import type { CurrencyLine as Line } from "../../../../generated/records/types.ts";
import { readCurrencyLine } from "../../../../generated/records/validators.ts";
import { ChainLookup, chainNotServed } from "../check-values.ts";
import { countingUpsert, type RecordKind, stagingTable } from "../record-kind.ts";

export const currencies: RecordKind<Line, ChainLookup> = {
  name: "currencies",
  identifiedBy: "chainId and contractAddress",
  example: {
    chainId: "polygon",
    contractAddress: "0x3c499c542cef5e3811e1192ce70d8cc03d5c3359",
    symbol: "USDC",
    name: "USD Coin",
    decimals: 6,
    usdRate: 0.9998,
  },
  validate: readCurrencyLine,
  loadContext: async (_, networks) => new ChainLookup(networks),
  key: ["chain_id", "address"],
  columns: [
    ["chain_id", "bigint"],
    ["address", "text"],
    ["symbol", "text"],
    ["name", "text"],
    ["decimals", "smallint"],
    ["usd_rate", "numeric"],
  ],
  stage: (line, chains) => {
    const chainId = chains.find(line.chainId);
    if (chainId === undefined) return chainNotServed(line.chainId);
    const { usdRate } = line;
    if (usdRate !== undefined && !(usdRate > 0 && usdRate < 1e18))
      return `/usdRate: expected a number above 0 and below 10^18, found ${usdRate}`;
    return [
      chainId,
      line.contractAddress,
      line.symbol,
      line.name ?? line.symbol,
      line.decimals,
      usdRate ?? null,
    ];
  },
  // Orders store amounts in the smallest unit: other decimals would change every price.
  checks: [
    `
select line, format('decimals: existing orders in this currency use %s decimals, found %s', known.decimals, staged.decimals) as fault
from ${stagingTable} staged join currency known using (chain_id, address)
where known.is_known and known.decimals <> staged.decimals and exists (select from market_order where currency_id = known.id)`,
  ],
  merge: [
    countingUpsert(`
  insert into currency as known (chain_id, address, symbol, name, decimals, usd_rate)
  select chain_id, address, symbol, name, decimals, usd_rate from ${stagingTable} order by line
  on conflict (chain_id, address) do update set
    symbol = excluded.symbol, name = excluded.name, decimals = excluded.decimals, usd_rate = excluded.usd_rate,
    is_known = true, updated_at = now()
  where (known.symbol, known.name, known.decimals, known.usd_rate, known.is_known) is distinct from
    (excluded.symbol, excluded.name, excluded.decimals, excluded.usd_rate, true)`),
  ],
  exportSql: () => `
select chain_id::float8 as "chainId", address as "contractAddress", symbol, name, decimals, usd_rate::float8 as "usdRate"
from currency where is_known order by id`,
  fetchCount: 2_000,
};
