/**
 * Lists by token id walk through the tokens in the order of their ids, and stop when the page is full. A list whose first tokens have few
 * orders reads all orders of the collection instead.
 */
import type { Parameters } from "../../../base/storage/sql.ts";
import { firstTokenId, hasOpenOrder, isAfterToken } from "../collectibles/ids.ts";
import type { PageCursor, SortKey } from "./collectibles-query.ts";

/** Tokens that a walk looks at. Looking at a token without orders costs about two microseconds. */
const maxTokens = 1_000;

export interface TokenWalk {
  readonly sort: readonly SortKey[];
  /** Starts at the token of this entry. */
  readonly after: PageCursor | undefined;
  /** SQL of the number of tokens with an order that the page may need. */
  readonly limit: string;
  /** SQL condition on `token`: has it an order that is listed? */
  readonly isListed: string;
  readonly parameters: Parameters;
}

/** Whether a list is sorted by token id, and by nothing else. */
export function isByToken(sort: readonly SortKey[]): boolean {
  return sort.length === 1 && sort[0]?.column === "tokenId";
}

/**
 * CTEs `walk (id, token_id)`: the first listed tokens, and `walked (is_enough)`: whether they fill the page. If they do not, `walk` is
 * of no use.
 */
export function walkTables({ sort, after, limit, isListed, parameters }: TokenWalk): string {
  const isDescending = sort[0]?.order === "DESC";
  // The first key of a cursor is the segment.
  const start = after === undefined ? undefined : parameters.bind(after[1], "numeric");
  const range =
    isDescending || start === undefined
      ? isAfterToken(firstTokenId, isDescending ? start : undefined)
      : isAfterToken(`${start} - 1`);
  const order = ["token.collection_id", "token.token_id"]
    .map((column) => (isDescending ? `${column} desc` : column))
    .join(", ");
  return `walk as materialized (
      select token.id, token.token_id from (
        select token.id, token.collection_id, token.token_id, token.is_undone, token.origin, token.deleted_because
        from collectible as token where ${range} order by ${order} limit ${maxTokens}
      ) as token
      where ${isListed}
      order by ${order} limit ${limit}
    ), walked as materialized (
      select count(*) >= ${limit} as is_enough from walk
    )`;
}

/** Whether a token has an open order that meets one of the conditions. */
export function hasOrder(conditions: readonly string[]): string {
  return `case when ${hasOpenOrder("token.id")} then ${conditions.join("\n        or ")} else false end`;
}
