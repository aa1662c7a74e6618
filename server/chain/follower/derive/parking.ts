import { hideUrlSecrets } from "../../../base/url-secrets.ts";
import { bytesOf } from "../bytes.ts";
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

/** Hides the secrets of URLs, and removes NUL, which Postgres cannot store in text. */
function reasonText(reason: unknown): string {
  const text = reason instanceof Error ? `${reason.name}: ${reason.message}` : `thrown: ${typeof reason}`;
  return hideUrlSecrets(text).slice(0, maxReasonLength).replaceAll("\0", "");
}
