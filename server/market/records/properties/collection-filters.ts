import type { Queries, Statement } from "../../../base/storage/database.ts";

/** Returns the filters of a collection, properties in the order of their first appearance. Empty for unknown collections. */
export type CollectionFilters = (
  queries: Queries,
  chainId: number,
  contractAddress: string,
) => Promise<readonly Filter[]>;

interface CacheEntry {
  readonly version: string;
  readonly filters: Promise<readonly Filter[]>;
  /** Undefined until the filters are read. */
  characters?: number;
}

/**
 * Cache limit over all collections, in characters of at most two bytes. A collection of 20 properties with 50 values each takes some
 * 10,000.
 */
const maxCharacters = 16_000_000;

/**
 * Caches the filters of each collection by `properties_version`. The version is queried on every call, so a change applies at once on every
 * replica. A read may see a later state than its version; the next call then reads again.
 */
export function collectionFilters(): CollectionFilters {
  const cache = new Map<string, CacheEntry>();
  let characters = 0;

  function evict(id: string): void {
    characters -= cache.get(id)?.characters ?? 0;
    cache.delete(id);
  }

  async function read(
    queries: Queries,
    chainId: number,
    contractAddress: string,
  ): Promise<readonly Filter[]> {
    return (await collectionProperties(queries, chainId, contractAddress)).map(inferFilter);
  }

  function store(id: string, version: string, filters: Promise<readonly Filter[]>): void {
    evict(id);
    const entry: CacheEntry = { version, filters };
    cache.set(id, entry);
    filters.then(
      (found) => {
        if (cache.get(id) !== entry) return;
        entry.characters = sizeOf(found);
        characters += entry.characters;
        for (const oldest of cache.keys()) {
          if (characters <= maxCharacters) break;
          evict(oldest);
        }
      },
      () => {
        // Do not cache a failure.
        if (cache.get(id) === entry) evict(id);
      },
    );
  }

  return async (queries, chainId, contractAddress) => {
    const [state] = await queries.query<State>(selectState, [chainId, contractAddress]);
    if (state === undefined) return [];
    const known = cache.get(state.id);
    // The cached read may have failed because its caller used up their share of the database: read again for this caller.
    if (known?.version === state.version)
      return known.filters.catch(() => read(queries, chainId, contractAddress));
    const filters = read(queries, chainId, contractAddress);
    store(state.id, state.version, filters);
    return filters;
  };
}

interface State {
  readonly id: string;
  readonly version: string;
}

const selectState: Statement = {
  name: "collection-properties-version",
  text: "select id::text, properties_version::text as version from collection where chain_id = $1 and address = $2",
};

/** Adds the overhead per string, so that empty values count too. */
function sizeOf(filters: readonly Filter[]): number {
  const texts = filters.flatMap(({ name, values }) => [name, ...values]);
  return texts.reduce((sum, { length }) => sum + length + 32, 64);
}

/** Returns the properties of a collection's tokens, in the order of their first appearance. */
export function collectionProperties(
  queries: Queries,
  chainId: number,
  contractAddress: string,
): Promise<readonly PropertySummary[]> {
  return queries.query<PropertySummary>(statement, [chainId, contractAddress]);
}

/** Most values of one property. A longer list is no help. */
const maxValues = 1_000;

/** Largest list of values of one property, in bytes of JSON: 1,000 values of 64 characters. */
const maxValuesBytes = 65_536;

/**
 * Largest lists of values of all properties together, in bytes of JSON: everyone can mint tokens with values of their own, and each caller
 * gets all of them in one response.
 */
const maxCollectionBytes = 524_288;

/**
 * Reads at most one value more per name than is listed. A property whose value differs for each token therefore costs no more than
 * others.
 */
const statement: Statement = {
  name: "collection-properties",
  text: `
    with here as materialized (
      select id from collection where chain_id = $1 and address = $2
    ), property as materialized (
      select names.name, kinds.*, (
        select known.id from property_value as known
        where known.collection_id = (select id from here) and known.name = names.name order by known.id limit 1
      ) as first_id, case when listed.count <= ${maxValues} and listed.bytes <= ${maxValuesBytes} then listed.bytes end as bytes, listed.values
      from property_names((select id from here)) as names
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
      cross join lateral (
        select count(*), coalesce(sum(octet_length(to_json(value)::text) + 1), 0) as bytes,
          coalesce(json_agg(value order by value), '[]') as values
        from (
          select distinct known.value from property_value as known
          where known.collection_id = (select id from here) and known.name = names.name and known.tokens > 0
            and known.kind in ('integer', 'text', 'member') and not kinds."hasObjects"
            and (kinds."hasLists" or kinds."hasTexts")
          limit ${maxValues} + 1
        ) as one
      ) as listed
      where kinds."hasObjects" or kinds."hasLists" or kinds."hasTexts" or kinds."hasIntegers"
    )
    select name, "hasObjects", "hasLists", "hasTexts", "hasIntegers", min, max,
      case when bytes is not null and sum(bytes) over (order by first_id) <= ${maxCollectionBytes} then values end as values
    from property
    order by first_id`,
};

/* Decides how shops can filter by a property (trait) of collectibles: by a range, by a list of values, or not. */

export interface PropertySummary {
  readonly name: string;
  /** Whether some token has an object as its value, which no filter can match. */
  readonly hasObjects: boolean;
  readonly hasLists: boolean;
  /** Whether some token has a single value that is not an integer. */
  readonly hasTexts: boolean;
  readonly hasIntegers: boolean;
  /** Range of the integer values. */
  readonly min: number | null;
  readonly max: number | null;
  /** Of lists and texts, distinct and sorted. Null if they are too many or too long to be listed. */
  readonly values: readonly string[] | null;
}

export interface Filter {
  readonly name: string;
  readonly type: "INT" | "STRING" | "ARRAY" | "GENERIC";
  readonly min: number | null;
  readonly max: number | null;
  readonly values: string[];
}

/** Infers the filter of a property: a range if all values are integers; else a list of values if they are few; else none. */
export function inferFilter({
  name,
  hasObjects,
  hasLists,
  hasTexts,
  min,
  max,
  values,
}: PropertySummary): Filter {
  const plain = { name, min: null, max: null };
  if (!hasObjects && !hasLists && !hasTexts) return { name, type: "INT", min, max, values: [] };
  if (hasObjects || values === null) return { ...plain, type: "GENERIC", values: [] };
  return { ...plain, type: hasLists ? "ARRAY" : "STRING", values: [...values] };
}
