/** Combines the filters of several derivers into one request, and selects the logs for each deriver. */
import type { Hex } from "../../rpc/chain.ts";
import type { ChainBlock, ChainLog } from "./blocks.ts";

/** Logs of any of these contracts with any of these first topics. Hex in lower case. */
export interface LogFilter {
  /** Undefined: any contract. */
  readonly addresses?: ReadonlySet<Hex> | undefined;
  /** Undefined: any event. */
  readonly topics?: ReadonlySet<Hex> | undefined;
  /** Whether the deriver needs no blocks below the reorganization window: while catching up, no logs are requested for it. */
  readonly recentOnly?: boolean;
  /** Whether the deriver needs `ChainLog.indexInTransaction`. */
  readonly indexInTransaction?: boolean;
}

/** Passes every log that passes any of the filters. May pass more, because it combines every contract with every event. */
export function unionOfFilters(filters: readonly LogFilter[]): LogFilter {
  return {
    addresses: unionOfSets(filters.map(({ addresses }) => addresses)),
    topics: unionOfSets(filters.map(({ topics }) => topics)),
    indexInTransaction: filters.some(({ indexInTransaction }) => indexInTransaction === true),
  };
}

function unionOfSets(sets: readonly (ReadonlySet<Hex> | undefined)[]): ReadonlySet<Hex> | undefined {
  const all = new Set<Hex>();
  for (const set of sets) {
    if (set === undefined) return undefined;
    for (const item of set) all.add(item);
  }
  return all;
}

export const emptyFilter: LogFilter = { addresses: new Set(), topics: new Set() };

export function matchesNothing({ addresses, topics }: LogFilter): boolean {
  return addresses?.size === 0 || topics?.size === 0;
}

export function passes({ addresses, topics }: LogFilter, { address, topics: [first] }: ChainLog): boolean {
  if (addresses !== undefined && !addresses.has(address)) return false;
  return topics === undefined || (first !== undefined && topics.has(first));
}

export function filterBlocks(blocks: readonly ChainBlock[], filter: LogFilter): readonly ChainBlock[] {
  if (filter.addresses === undefined && filter.topics === undefined) return blocks;
  return blocks.map((block) => {
    const logs = block.logs.filter((log) => passes(filter, log));
    return logs.length === block.logs.length ? block : { ...block, logs };
  });
}
