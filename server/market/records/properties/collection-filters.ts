import type { Queries, Statement } from "../../../base/storage/database.ts";
import { collectionProperties } from "./collection-properties.ts";
import { type Filter, inferFilter } from "./infer-filter.ts";

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
