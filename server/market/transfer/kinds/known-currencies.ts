import type { Queries } from "../../../base/storage/database.ts";
import type { Networks } from "../../../chain/networks/networks.ts";
import { noteCurrencies } from "../../records/currencies/note-currencies.ts";
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
  await noteCurrencies(queries, networks.all);
  const rows = await queries.query<KnownCurrency & { readonly key: string }>(selectKnown);
  const known = new Map(rows.map(({ key, id, decimals }) => [key, { id, decimals }]));
  return {
    chains: new ChainNames(networks),
    find: (chainId, address) => known.get(`${chainId} ${address}`),
  };
}

const selectKnown = "select id, decimals, chain_id || ' ' || address as key from currency where is_known";
