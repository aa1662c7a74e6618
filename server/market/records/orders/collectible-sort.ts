/** By what lists of tokens can be sorted, and where in such a list a page ends. */
import type { Parameters } from "../parameters.ts";

export const sortColumns = ["priceUSD", "createdAt", "updatedAt", "tokenId", "validUntil"] as const;

export type SortColumn = (typeof sortColumns)[number];

export interface SortKey {
  readonly column: SortColumn;
  readonly order: "ASC" | "DESC";
}

/** The last entry of a page: the values of the list's keys, as texts. The first is its segment, the last its token. */
export type PageEnd = readonly string[];

interface Key {
  readonly sql: string;
  readonly type: string;
  readonly isDescending?: boolean;
}

const bestPrice: readonly Key[] = [
  { sql: "tier", type: "int" },
  { sql: "rank", type: "numeric" },
  { sql: "made_at", type: "timestamptz" },
  { sql: "order_id", type: "text" },
  { sql: "id", type: "bigint" },
];

const columns: Readonly<Record<SortColumn, Key>> = {
  priceUSD: { sql: "case when tier = 0 then abs(rank) else 0 end", type: "numeric" },
  createdAt: { sql: "created_at", type: "timestamptz" },
  updatedAt: { sql: "updated_at", type: "timestamptz" },
  tokenId: { sql: "token_id", type: "numeric" },
  validUntil: { sql: "valid_until", type: "timestamptz" },
};

/** Orders without a price in dollars are behind all that have one, in either direction. */
const unpricedLast: Key = { sql: "least(tier, 1)", type: "int" };

/** By which no two entries of a list are the same: the segment, what was asked for, the token. */
function keysOf(sort: readonly SortKey[]): readonly Key[] {
  const asked = sort.flatMap(({ column, order }): readonly Key[] => {
    const key = { ...columns[column], isDescending: order === "DESC" };
    return column === "priceUSD" ? [unpricedLast, key] : [key];
  });
  return [
    { sql: "segment", type: "int" },
    ...(sort.length === 0 ? bestPrice : asked),
    { sql: "token_id", type: "numeric" },
  ];
}

export function orderBy(sort: readonly SortKey[]): string {
  return keysOf(sort)
    .map(({ sql, isDescending = false }) => `${sql} ${isDescending ? "desc" : "asc"}`)
    .join(", ");
}

/** A JSON list of texts, to be read back as a PageEnd. */
export function pageEndColumn(sort: readonly SortKey[]): string {
  return `json_build_array(${keysOf(sort)
    .map(({ sql }) => `(${sql})::text`)
    .join(", ")})`;
}

/** Whether an entry comes after the end of a page: by the first key that differs. */
export function isAfter(sort: readonly SortKey[], end: PageEnd, parameters: Parameters): string {
  return keysOf(sort).reduceRight((rest, { sql, type, isDescending = false }, index) => {
    const value = parameters.bind(end[index], type);
    const further = `${sql} ${isDescending ? "<" : ">"} ${value}`;
    return rest === "" ? further : `(${further} or (${sql} = ${value} and ${rest}))`;
  }, "");
}
