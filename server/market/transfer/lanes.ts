/** Which connection brings a record in, where several do. */
import type { CopyValue as Cell } from "../../base/storage/copy.ts";
import type { RecordKind } from "./kind.ts";

/**
 * Most connections of one import. One processor reads and checks lines about as fast as two merge them, so that a third would wait. It is
 * the same for all imports, so that one that runs beside finds the same records in the same lane.
 */
export const lanesMax = 2;

export interface LaneFinder {
  readonly count: number;
  /** The lane of a row. */
  find(cells: readonly Cell[]): number;
}

/** How many connections an import of this kind has use for. */
export function lanesOf({ apart }: Pick<RecordKind, "apart">): number {
  return apart === undefined ? 1 : lanesMax;
}

/** One lane for all where there are fewer connections than lanes. */
export function laneFinder(kind: Pick<RecordKind, "columns" | "apart">, connections: number): LaneFinder {
  const count = connections < lanesMax ? 1 : lanesOf(kind);
  if (count === 1) return { count, find: () => 0 };
  const places = (kind.apart ?? []).map((name) => kind.columns.findIndex(([column]) => column === name));
  return {
    count,
    find(cells) {
      let hash = 0;
      for (const place of places) hash = hashOf(String(cells[place]), hash);
      return hash % count;
    },
  };
}

/** 31 bits, which multiply without leaving the whole numbers. */
function hashOf(text: string, start: number): number {
  let hash = start;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) & 0x7fffffff;
  return hash;
}
