import type { Networks } from "../../networks/networks.ts";
import type { Queries } from "../../storage/database.ts";
import { ChainNames } from "../chains.ts";

export interface KnownCurrency {
  readonly id: number;
  readonly decimals: number;
}

export interface KnownCurrencies {
  readonly chains: ChainNames;
  readonly find: (chainId: number, address: string) => KnownCurrency | undefined;
}

/** The currencies that orders may name: imported ones, and those of the configuration, which are put beside them. */
export async function learnCurrencies(queries: Queries, networks: Networks): Promise<KnownCurrencies> {
  const configured = networks.all.flatMap(({ chainId, currencies }) =>
    currencies.map((currency) => ({ chainId, ...currency })),
  );
  await queries.query(addConfigured, [JSON.stringify(configured)]);
  const rows = await queries.query<KnownCurrency & { readonly key: string }>(selectKnown);
  const known = new Map(rows.map(({ key, id, decimals }) => [key, { id, decimals }]));
  return {
    chains: new ChainNames(networks),
    find: (chainId, address) => known.get(`${chainId} ${address}`),
  };
}

const addConfigured = `
insert into currency (chain_id, address, symbol, name, decimals)
select "chainId", address, symbol, name, decimals
from json_to_recordset($1) as given ("chainId" bigint, address text, symbol text, name text, decimals smallint)
where not exists (select from currency known where known.chain_id = "chainId" and known.address = given.address)
on conflict do nothing`;

const selectKnown = "select id, decimals, chain_id || ' ' || address as key from currency";
