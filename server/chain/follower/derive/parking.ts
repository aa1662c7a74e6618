import type { Queries } from "../../../base/storage/database.ts";
import { hideUrlSecrets } from "../../../base/url-secrets.ts";
import type { Hex } from "../../rpc/chain.ts";
import { bytesOf, hexOf } from "../bytes.ts";
import type { BlockId, ChainTransaction } from "./deriver.ts";

const maxReasonLength = 500;

const parkSql = `
insert into follower_parked (chain_id, deriver, step, block_number, block_hash, log_index, reason)
values ($1, $2, $3, $4, $5, $6, $7)`;

export function parkAdded(
  tx: ChainTransaction,
  deriver: string,
  block: BlockId,
  logIndex: number | undefined,
  reason: unknown,
): Promise<unknown> {
  const { number, hash } = block;
  const values = [tx.chainId, deriver, "added", number, bytesOf(hash), logIndex ?? null, reasonText(reason)];
  return tx.query(parkSql, values);
}

export function parkRemoved(
  tx: ChainTransaction,
  deriver: string,
  { number, hash }: BlockId,
  reason: unknown,
): Promise<unknown> {
  const values = [tx.chainId, deriver, "removed", number, bytesOf(hash), null, reasonText(reason)];
  return tx.query(parkSql, values);
}

const parkedLogsSql = {
  name: "follower-parked-logs",
  text: `select block_hash, log_index from follower_parked
         where chain_id = $1 and deriver = $2 and step = 'added' and log_index is not null
           and block_number = any($3::bigint[])`,
};

/** Returns the indexes of the parked logs of these blocks, by the block's hash. */
export async function readParkedLogs(
  tx: ChainTransaction,
  deriver: string,
  blocks: readonly BlockId[],
): Promise<ReadonlyMap<Hex, ReadonlySet<number>>> {
  const numbers = blocks.map(({ number }) => number);
  const rows = await tx.query<{ readonly block_hash: Buffer; readonly log_index: number }>(parkedLogsSql, [
    tx.chainId,
    deriver,
    numbers,
  ]);
  const parked = new Map<Hex, Set<number>>();
  for (const { block_hash, log_index } of rows) {
    const hash = hexOf(block_hash);
    parked.set(hash, (parked.get(hash) ?? new Set()).add(log_index));
  }
  return parked;
}

/**
 * Deletes what earlier transactions parked when they added blocks above `above`, up to `through`. Call this when the blocks have been added
 * again: what failed again was parked by this transaction.
 */
export async function deleteOutdatedParked(
  tx: Queries,
  chainId: number,
  { above, through }: { readonly above: number; readonly through: number },
): Promise<void> {
  await tx.query(
    `delete from follower_parked
     where chain_id = $1 and step = 'added' and block_number > $2 and block_number <= $3 and parked_at < now()`,
    [chainId, above, through],
  );
}

/** Hides the secrets of URLs, and removes NUL, which Postgres cannot store in text. */
function reasonText(reason: unknown): string {
  const text = reason instanceof Error ? `${reason.name}: ${reason.message}` : `thrown: ${typeof reason}`;
  return hideUrlSecrets(text).slice(0, maxReasonLength).replaceAll("\0", "");
}
