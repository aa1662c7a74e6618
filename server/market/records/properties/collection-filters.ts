import type { Queries, Statement } from "../../../base/storage/database.ts";
import { collectionProperties } from "./collection-properties.ts";
import { type Filter, inferFilter } from "./infer-filter.ts";

/** What the tokens of a collection can be filtered by, names in the order of their first appearance. Of an unknown collection: nothing. */
export type CollectionFilters = (
  queries: Queries,
  chainId: number,
  contractAddress: string,
) => Promise<readonly Filter[]>;

interface Kept {
  readonly version: string;
  readonly filters: Promise<readonly Filter[]>;
  /** Undefined until they are there. */
  characters?: number;
}

/**
 * Most that is remembered of all collections together, in characters: two bytes each at most. A collection of 20 properties with 50
 * values each has some 10,000.
 */
const charactersMax = 16_000_000;

/**
 * Works them out once for each state of a collection. Which state it is in is asked each time, so that a change counts at once, on
 * every replica. What is read after that is of this state or a later one; a later one is read once more.
 */
export function collectionFilters(): CollectionFilters {
  const kept = new Map<string, Kept>();
  let characters = 0;

  function forget(id: string): void {
    characters -= kept.get(id)?.characters ?? 0;
    kept.delete(id);
  }

  async function read(
    queries: Queries,
    chainId: number,
    contractAddress: string,
  ): Promise<readonly Filter[]> {
    return (await collectionProperties(queries, chainId, contractAddress)).map(inferFilter);
  }

  function remember(id: string, version: string, filters: Promise<readonly Filter[]>): void {
    forget(id);
    const entry: Kept = { version, filters };
    kept.set(id, entry);
    filters.then(
      (found) => {
        if (kept.get(id) !== entry) return;
        entry.characters = sizeOf(found);
        characters += entry.characters;
        for (const oldest of kept.keys()) {
          if (characters <= charactersMax) break;
          forget(oldest);
        }
      },
      () => {
        // A database that is away is asked again by the next call.
        if (kept.get(id) === entry) forget(id);
      },
    );
  }

  return async (queries, chainId, contractAddress) => {
    const [state] = await queries.query<State>(selectState, [chainId, contractAddress]);
    if (state === undefined) return [];
    const known = kept.get(state.id);
    // Another caller's reading may fail because that caller has used up a share.
    if (known?.version === state.version)
      return known.filters.catch(() => read(queries, chainId, contractAddress));
    const filters = read(queries, chainId, contractAddress);
    remember(state.id, state.version, filters);
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

/** With what stands around the texts, so that many empty ones count too. */
function sizeOf(filters: readonly Filter[]): number {
  const texts = filters.flatMap(({ name, values }) => [name, ...values]);
  return texts.reduce((sum, { length }) => sum + length + 32, 64);
}
