import type { Queries } from "../../base/storage/database.ts";
import type { Hex } from "../../chain/rpc/chain.ts";
import { uidOf } from "./notification.ts";

/** Batches per query, so that none takes long. */
const pageSize = 5_000;

/** The largest `bigint` of Postgres. */
const maxBigint = "9223372036854775807";

interface BatchRow {
  readonly chain_id: string;
  readonly first_sequence: string;
  readonly block_number: string;
  readonly hash: string;
  readonly log_indexes: readonly number[];
  readonly is_removal: boolean;
}

const pageSql = {
  name: "webhook-batches-before",
  text: `select chain_id, first_sequence, block_number, encode(block_hash, 'hex') as hash, log_indexes, is_removal from webhook_batch
         where (chain_id, first_sequence) < ($1::bigint, $2::bigint)
         order by chain_id desc, first_sequence desc limit ${pageSize}`,
};

/**
 * Returns the block of the event with this uid. Computes the uids of all stored events, which takes about two seconds for a million: an index
 * of them would cost a third of the time in which notifications are stored.
 */
export async function blockOfUid(
  queries: Queries,
  uid: string,
): Promise<{ readonly chainId: number; readonly block: number } | undefined> {
  let last: BatchRow | undefined;
  do {
    const rows: readonly BatchRow[] = await queries.query<BatchRow>(pageSql, [
      last?.chain_id ?? maxBigint,
      last?.first_sequence ?? maxBigint,
    ]);
    const found = rows.find((row) => hasUid(row, uid));
    if (found !== undefined) return { chainId: Number(found.chain_id), block: Number(found.block_number) };
    last = rows.length === pageSize ? rows.at(-1) : undefined;
  } while (last !== undefined);
  return undefined;
}

function hasUid({ chain_id, hash, log_indexes, is_removal }: BatchRow, uid: string): boolean {
  const type = is_removal ? "BLOCK_REMOVED" : "BLOCK_ADDED";
  return log_indexes.some((logIndex) => uidOf(Number(chain_id), `0x${hash}` as Hex, logIndex, type) === uid);
}
