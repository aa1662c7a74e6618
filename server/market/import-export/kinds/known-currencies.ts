import type { Queries } from "../../../base/storage/database.ts";
import type { Networks } from "../../../chain/networks/networks.ts";
import { storeConfiguredCurrencies } from "../../records/currencies/configured-currencies.ts";
import { ChainLookup } from "../chain-lookup.ts";

export interface KnownCurrency {
  readonly id: number;
  readonly decimals: number;
}

export interface KnownCurrencies {
  readonly chains: ChainLookup;
  readonly find: (chainId: number, address: string) => KnownCurrency | undefined;
}

/** Loads the currencies that orders may use: imported ones, and configured ones, which it stores first. */
export async function loadCurrencies(queries: Queries, networks: Networks): Promise<KnownCurrencies> {
  await storeConfiguredCurrencies(queries, networks.all);
  const rows = await queries.query<KnownCurrency & { readonly key: string }>(selectKnown);
  const known = new Map(rows.map(({ key, id, decimals }) => [key, { id, decimals }]));
  return {
    chains: new ChainLookup(networks),
    find: (chainId, address) => known.get(`${chainId} ${address}`),
  };
}

const selectKnown = "select id, decimals, chain_id || ' ' || address as key from currency where is_known";
