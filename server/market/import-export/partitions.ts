/** Assigns records to the connections of an import. */
import type { CopyValue as Cell } from "../../base/storage/copy.ts";
import type { RecordKind } from "./record-kind.ts";

/**
 * Connections of an import. One processor parses and checks lines about as fast as two connections merge them, so a third would wait. The
 * number is the same for all imports, so that concurrent imports put a record into the same partition.
 */
export const maxPartitions = 2;

export interface Partitioner {
  readonly count: number;
  partitionOf(cells: readonly Cell[]): number;
}

/** How many connections an import of this kind can use. */
export function partitionCount({ partitionBy }: Pick<RecordKind, "partitionBy">): number {
  return partitionBy === undefined ? 1 : maxPartitions;
}

/** Uses a single partition if there are fewer connections than partitions. */
export function createPartitioner(
  kind: Pick<RecordKind, "columns" | "partitionBy">,
  connections: number,
): Partitioner {
  const count = connections < maxPartitions ? 1 : partitionCount(kind);
  if (count === 1) return { count, partitionOf: () => 0 };
  const indexes = (kind.partitionBy ?? []).map((name) =>
    kind.columns.findIndex(([column]) => column === name),
  );
  return {
    count,
    partitionOf(cells) {
      let hash = 0;
      for (const index of indexes) hash = hashOf(String(cells[index]), hash);
      return hash % count;
    },
  };
}

/** A 31-bit hash: its products stay safe integers. */
function hashOf(text: string, start: number): number {
  let hash = start;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) & 0x7fffffff;
  return hash;
}
