import type { Parameters } from "../parameters.ts";

export const sortColumns = ["priceUSD", "createdAt", "updatedAt", "tokenId", "validUntil"] as const;

export type SortColumn = (typeof sortColumns)[number];

export interface SortKey {
  readonly column: SortColumn;
  readonly order: "ASC" | "DESC";
}

/** The last entry of a page: the values of the sort keys, as text. The first value is the segment, the last the token id. */
export type PageCursor = readonly string[];

interface SqlKey {
  readonly sql: string;
  readonly type: string;
  readonly isDescending?: boolean;
}

const bestPrice: readonly SqlKey[] = [
  { sql: "tier", type: "int" },
  { sql: "rank", type: "numeric" },
  { sql: "made_at", type: "timestamptz" },
  { sql: "order_id", type: "text" },
  { sql: "id", type: "bigint" },
];

const columns: Readonly<Record<SortColumn, SqlKey>> = {
  priceUSD: { sql: "case when tier = 0 then abs(rank) else 0 end", type: "numeric" },
  createdAt: { sql: "created_at", type: "timestamptz" },
  updatedAt: { sql: "updated_at", type: "timestamptz" },
  tokenId: { sql: "token_id", type: "numeric" },
  validUntil: { sql: "valid_until", type: "timestamptz" },
};

/** Orders without a price in dollars come last, in either direction. */
const unpricedLast: SqlKey = { sql: "least(tier, 1)", type: "int" };

/** The complete sort keys, unique per entry: segment, requested columns, token id. */
function sqlKeysOf(sort: readonly SortKey[]): readonly SqlKey[] {
  const requested = sort.flatMap(({ column, order }): readonly SqlKey[] => {
    const key = { ...columns[column], isDescending: order === "DESC" };
    return column === "priceUSD" ? [unpricedLast, key] : [key];
  });
  return [
    { sql: "segment", type: "int" },
    ...(sort.length === 0 ? bestPrice : requested),
    { sql: "token_id", type: "numeric" },
  ];
}

export function orderBy(sort: readonly SortKey[]): string {
  return sqlKeysOf(sort)
    .map(({ sql, isDescending = false }) => `${sql} ${isDescending ? "desc" : "asc"}`)
    .join(", ");
}

/** SQL of a JSON array of texts, which is a PageCursor. */
export function cursorColumn(sort: readonly SortKey[]): string {
  return `json_build_array(${sqlKeysOf(sort)
    .map(({ sql }) => `(${sql})::text`)
    .join(", ")})`;
}

/** SQL condition that an entry comes after a cursor, compared key by key. */
export function isAfter(sort: readonly SortKey[], cursor: PageCursor, parameters: Parameters): string {
  return sqlKeysOf(sort).reduceRight((rest, { sql, type, isDescending = false }, index) => {
    const value = parameters.bind(cursor[index], type);
    const isPast = `${sql} ${isDescending ? "<" : ">"} ${value}`;
    return rest === "" ? isPast : `(${isPast} or (${sql} = ${value} and ${rest}))`;
  }, "");
}
