/** Currencies as shops show them. */
import type { Queries, Statement } from "../../../base/storage/database.ts";
import { utcExact } from "../../../base/storage/sql.ts";

export interface CurrencyRow {
  readonly id: number;
  readonly address: string;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  /** False until its contract has reported its decimals. */
  readonly isKnown: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** SQL of the rows, from `currency`. */
export const currencyColumns: string = `
    select id, address, symbol, name, decimals, is_known as "isKnown", ${utcExact("created_at")} as "createdAt",
      ${utcExact("updated_at")} as "updatedAt"
    from currency`;
/** The native coin comes first. */
export const currencyOrder: string = `order by address <> '0x' || repeat('0', 40), symbol collate "C", id`;

/** Returns currencies of a chain by id or by address. */
export function listCurrencies(
  queries: Queries,
  chainId: number,
  ids: readonly number[],
  addresses: readonly string[],
): Promise<readonly CurrencyRow[]> {
  return queries.query<CurrencyRow>(listSql, [chainId, ids, addresses]);
}

const listSql: Statement = {
  name: "currencies",
  text: `${currencyColumns} where chain_id = $1 and (id = any($2::int[]) or address = any($3::text[])) ${currencyOrder}`,
};
