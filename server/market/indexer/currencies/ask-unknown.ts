import type { Database } from "../../../base/storage/database.ts";
import type { Chain, Hex } from "../../../chain/rpc/chain.ts";
import { settleOrders } from "../availability/settle.ts";
import { askCurrencies } from "./ask-currencies.ts";

/** A hundred calls are one round trip. */
const batch = 33;
/** When a contract that did not answer is asked again. */
export const againSeconds = 600;

/** Asks some of the currencies that orders have named and nobody knows, and what waited for them waits no more. True: there may be others. */
export async function askUnknownCurrencies(
  database: Database,
  chainId: number,
  chain: () => Promise<Chain>,
  signal: AbortSignal,
): Promise<boolean> {
  const rows = await database.query<{ readonly address: Hex }>(dueSql, [chainId, batch, againSeconds]);
  if (rows.length > 0) {
    const addresses = rows.map(({ address }) => address);
    const known = await askCurrencies(await chain(), addresses, signal);
    await database.query(keepSql, [
      chainId,
      known.map(({ address }) => address),
      known.map(({ symbol }) => symbol),
      known.map(({ name }) => name),
      known.map(({ decimals }) => decimals),
    ]);
  }
  // Also of orders that were written while their currency became known.
  await database.transaction(async (tx) => {
    const known = await tx.query<{ readonly id: string }>(waitingSql, [chainId]);
    await settleOrders(
      tx,
      chainId,
      known.map(({ id }) => id),
    );
  });
  return rows.length === batch;
}

/** Those that were not asked for a while; they are taken to be asked now. */
const dueSql = {
  name: "unknown-currencies-due",
  text: `
    update currency set asked_at = now()
    where id in (
      select id from currency
      where chain_id = $1 and not is_known and (asked_at is null or asked_at < now() - make_interval(secs => $3))
      order by asked_at nulls first limit $2
      for update skip locked)
    returning address`,
};

const keepSql = {
  name: "unknown-currencies-keep",
  text: `
    update currency set symbol = told.symbol, name = told.name, decimals = told.decimals, is_known = true, updated_at = now()
    from unnest($2::text[], $3::text[], $4::text[], $5::int[]) as told (address, symbol, name, decimals)
    where currency.chain_id = $1 and currency.address = told.address and not currency.is_known`,
};

const waitingSql = {
  name: "unknown-currencies-waiting",
  text: `
    select market_order.id from market_order join currency on currency.id = market_order.currency_id
    where currency.chain_id = $1 and currency.is_known and market_order.status = 'decimals_missing' and market_order.origin = 'chain'`,
};
