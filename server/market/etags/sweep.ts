/** What a sweep finds: when time alone changes responses, because orders start or end, or rates become too old. */
export interface Sweep {
  /** Clock of the database, in milliseconds. */
  readonly databaseNow: number;
  readonly transitions: readonly Transition[];
  /** False: there are more transitions than a sweep reads. */
  readonly isComplete: boolean;
}

export interface Transition {
  /** The key of what changes. */
  readonly key: string;
  /** Time from the database's clock to the last change of this key, in milliseconds; negative: it has happened. */
  readonly inMs: number;
}

/** How far a sweep looks ahead, in milliseconds. */
export const aheadMs = 4_000;

/** How far a sweep looks back, in milliseconds: as long as reads may show the state before a transition, and more. */
const backMs = 3_000;

/** Most orders that a sweep reads for each kind of transition. Reading them takes some milliseconds. */
export const maxOrders = 2_000;

const isNear = (time: string): string =>
  `${time} > now() - interval '${backMs} milliseconds' and ${time} <= now() + interval '${aheadMs} milliseconds'`;

/** One row of Sweep. The conditions on orders must match the predicates of `order_end` and `order_start`. */
export const sweepSql: string = `
  with ending as materialized (
    select collection_id, valid_until as at from market_order
    where status in ('active', 'inactive') and ${isNear("valid_until")}
    order by valid_until limit ${maxOrders + 1}
  ), starting as materialized (
    select collection_id, valid_from as at from market_order
    where status = 'active' and deleted_at is null and valid_from > created_at and ${isNear("valid_from")}
    order by valid_from limit ${maxOrders + 1}
  ), transition as (
    select concat_ws(' ', chain_id, address, 'market_order') as key, max(at) as at
    from (select * from ending union all select * from starting) as changing
    join collection on collection.id = changing.collection_id
    group by chain_id, address
    union all
    select chain_id || ' currency', max(good_until)
    from currency_rate join currency on currency.id = currency_rate.currency_id
    where ${isNear("good_until")}
    group by chain_id
  )
  select (extract(epoch from now()) * 1000)::float8 as "databaseNow",
    greatest((select count(*) from ending), (select count(*) from starting)) <= ${maxOrders} as "isComplete",
    coalesce((
      select json_agg(json_build_object('key', key, 'inMs', extract(epoch from at - now()) * 1000)) from transition
    ), '[]') as transitions`;
