/** Which logs a chunk of the archive contains, and whether these suffice for a filter. */
import { createHash } from "node:crypto";
import type { Hex } from "../../rpc/chain.ts";
import type { LogFilter } from "../derive/deriver.ts";

/** Logs of any of these contracts with any of these first topics. */
export interface Coverage {
  /** Undefined: any contract. */
  readonly addresses: ReadonlySet<Hex> | undefined;
  /** Undefined: any event. */
  readonly topics: ReadonlySet<Hex> | undefined;
  /** Whether the logs have their index within their transaction. */
  readonly hasIndexes: boolean;
}

export function coverageOf({ addresses, topics, indexInTransaction }: LogFilter): Coverage {
  return { addresses, topics, hasIndexes: indexInTransaction === true };
}

/** Whether every log that passes the filter is in the chunk, with what the filter requires. */
export function covers(coverage: Coverage, filter: LogFilter): boolean {
  return (
    includes(coverage.addresses, filter.addresses) &&
    includes(coverage.topics, filter.topics) &&
    (coverage.hasIndexes || filter.indexInTransaction !== true)
  );
}

function includes(all: ReadonlySet<Hex> | undefined, some: ReadonlySet<Hex> | undefined): boolean {
  if (all === undefined) return true;
  if (some === undefined || some.size > all.size) return false;
  for (const item of some) if (!all.has(item)) return false;
  return true;
}

/** What both cover. */
export function intersection(a: Coverage, b: Coverage): Coverage {
  return {
    addresses: inBoth(a.addresses, b.addresses),
    topics: inBoth(a.topics, b.topics),
    hasIndexes: a.hasIndexes && b.hasIndexes,
  };
}

function inBoth(a: ReadonlySet<Hex> | undefined, b: ReadonlySet<Hex> | undefined): typeof a {
  if (a === undefined || b === undefined) return a ?? b;
  return new Set([...a].filter((item) => b.has(item)));
}

/** Equal for equal coverages. */
export function digestOf({ addresses, topics, hasIndexes }: Coverage): Buffer {
  const sorted = (set: ReadonlySet<Hex> | undefined): string => (set ? [...set].sort().join() : "any");
  return createHash("sha256")
    .update(`${sorted(addresses)}|${sorted(topics)}|${hasIndexes}`)
    .digest();
}
