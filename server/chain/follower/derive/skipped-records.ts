import type { Queries } from "../../../base/storage/database.ts";
import { hideUrlSecrets } from "../../../base/url-secrets.ts";
import type { Hex } from "../../rpc/chain.ts";
import { bytesOf, hexOf } from "../bytes.ts";
import type { BlockId, ChainTransaction } from "./deriver.ts";

const maxReasonLength = 500;

const insertSql = `
insert into follower_skipped (chain_id, deriver, step, block_number, block_hash, log_index, reason)
values ($1, $2, $3, $4, $5, $6, $7)`;

export function storeSkippedAddition(
  tx: ChainTransaction,
  deriver: string,
  block: BlockId,
  logIndex: number | undefined,
  reason: unknown,
): Promise<unknown> {
  const { number, hash } = block;
  const values = [tx.chainId, deriver, "added", number, bytesOf(hash), logIndex ?? null, reasonText(reason)];
  return tx.query(insertSql, values);
}

export function storeSkippedRemoval(
  tx: ChainTransaction,
  deriver: string,
  { number, hash }: BlockId,
  reason: unknown,
): Promise<unknown> {
  const values = [tx.chainId, deriver, "removed", number, bytesOf(hash), null, reasonText(reason)];
  return tx.query(insertSql, values);
}

const skippedLogsSql = {
  name: "follower-skipped-logs",
  text: `select block_hash, log_index from follower_skipped
         where chain_id = $1 and deriver = $2 and step = 'added' and log_index is not null
           and block_number = any($3::bigint[])`,
};

/** Returns the indexes of the skipped logs of these blocks, by the block's hash. */
export async function readSkippedLogs(
  tx: ChainTransaction,
  deriver: string,
  blocks: readonly BlockId[],
): Promise<ReadonlyMap<Hex, ReadonlySet<number>>> {
  const numbers = blocks.map(({ number }) => number);
  const rows = await tx.query<{ readonly block_hash: Buffer; readonly log_index: number }>(skippedLogsSql, [
    tx.chainId,
    deriver,
    numbers,
  ]);
  const skipped = new Map<Hex, Set<number>>();
  for (const { block_hash, log_index } of rows) {
    const hash = hexOf(block_hash);
    skipped.set(hash, (skipped.get(hash) ?? new Set()).add(log_index));
  }
  return skipped;
}

/**
 * Deletes records that earlier transactions skipped when they added blocks above `above`, up to `through`. Call this when the blocks have been
 * added again: records that failed again were stored by this transaction.
 */
export async function deleteOutdatedSkipped(
  tx: Queries,
  chainId: number,
  { above, through }: { readonly above: number; readonly through: number },
): Promise<void> {
  await tx.query(
    `delete from follower_skipped
     where chain_id = $1 and step = 'added' and block_number > $2 and block_number <= $3 and skipped_at < now()`,
    [chainId, above, through],
  );
}

/** Hides the secrets of URLs, and removes NUL, which Postgres cannot store in text. */
function reasonText(reason: unknown): string {
  const text = reason instanceof Error ? `${reason.name}: ${reason.message}` : `thrown: ${typeof reason}`;
  return hideUrlSecrets(text).slice(0, maxReasonLength).replaceAll("\0", "");
}
