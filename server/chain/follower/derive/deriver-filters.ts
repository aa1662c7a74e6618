import type { DeriverFilter } from "./derive.ts";
import type { Deriver } from "./deriver.ts";
import { emptyFilter } from "./filters.ts";

export interface DeriverFiltersOptions {
  readonly chainId: number;
  /** Whether the filters are for blocks that may still leave the chain. */
  readonly isRecent: boolean;
}

export function readDeriverFilters(
  derivers: readonly Deriver[],
  { chainId, isRecent }: DeriverFiltersOptions,
): Promise<readonly DeriverFilter[]> {
  return Promise.all(
    derivers.map(async (deriver) => {
      const filter = await deriver.logFilter(chainId);
      return { deriver, filter: filter.recentOnly === true && !isRecent ? emptyFilter : filter };
    }),
  );
}

/** Whether no filter has changed since these were read. */
export async function areFiltersCurrent(
  deriverFilters: readonly DeriverFilter[],
  options: DeriverFiltersOptions,
): Promise<boolean> {
  const derivers = deriverFilters.map(({ deriver }) => deriver);
  const now = await readDeriverFilters(derivers, options);
  return now.every(({ filter }, index) => filter === deriverFilters[index]?.filter);
}
