import type { Queries, Statement } from "../../../base/storage/database.ts";
import type { PropertySummary } from "./infer-filter.ts";

/** Returns the properties of a collection's tokens, in the order of their first appearance. */
export function collectionProperties(
  queries: Queries,
  chainId: number,
  contractAddress: string,
): Promise<readonly PropertySummary[]> {
  return queries.query<PropertySummary>(statement, [chainId, contractAddress]);
}

/**
 * Skips from name to name by index, and reads at most one value more per name than a filter may list. A property whose value differs for
 * each token therefore costs no more than others.
 */
const statement: Statement = {
  name: "collection-properties",
  text: `
    with recursive here as materialized (
      select id from collection where chain_id = $1 and address = $2
    ), names as (
      (select name from property_value where collection_id = (select id from here) order by name limit 1)
      union all
      select (
        select known.name from property_value as known
        where known.collection_id = (select id from here) and known.name > names.name order by known.name limit 1
      )
      from names where names.name is not null
    )
    select names.name, kinds.*, to_json(array(
      select value from (
        select distinct known.value from property_value as known
        where known.collection_id = (select id from here) and known.name = names.name and known.tokens > 0
          and known.kind in ('integer', 'text', 'member') and not kinds."hasObjects" and (kinds."hasLists" or kinds."hasTexts")
        limit 1001
      ) as one
      order by value
    )) as values
    from names
    cross join lateral (
      select ${["object", "list", "text", "integer"]
        .map(
          (kind) => `exists (
        select from property_value as known
        where known.collection_id = (select id from here) and known.name = names.name and known.kind = '${kind}' and known.tokens > 0
      ) as "has${kind[0]?.toUpperCase()}${kind.slice(1)}s"`,
        )
        .join(", ")},
      ${["min", "max"]
        .map(
          (bound) => `(
        select ${bound}(known.number) from property_value as known
        where known.collection_id = (select id from here) and known.name = names.name and known.number is not null and known.tokens > 0
      )::float8 as ${bound}`,
        )
        .join(", ")}
    ) as kinds
    where names.name is not null and (kinds."hasObjects" or kinds."hasLists" or kinds."hasTexts" or kinds."hasIntegers")
    order by (
      select known.id from property_value as known
      where known.collection_id = (select id from here) and known.name = names.name order by known.id limit 1
    )`,
};
