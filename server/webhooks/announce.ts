import type { Queries } from "../base/storage/database.ts";
import type { AfterCommit, ChainTransaction } from "../chain/follower/derive/deriver.ts";

/** NOTIFY channel for newly committed notifications. The payload is a JSON list of their hosts, or empty: of any hosts. */
export const workChannel = "webhook_work";

/**
 * Longest NOTIFY payload, in characters; Postgres accepts 8,000 bytes. A longer list of receiving hosts is replaced by an
 * empty payload, after which other processes look for due notifications of all of them.
 */
const maxPayloadLength = 7_000;

/** Tells all processes, when the transaction commits, that notifications are due to these receiving hosts. Call the result after the commit. */
export async function announce(
  tx: ChainTransaction,
  hosts: ReadonlySet<string>,
  wake: (hosts: readonly string[]) => void,
): Promise<AfterCommit | undefined> {
  if (hosts.size === 0) return undefined;
  const list = [...hosts];
  const message = JSON.stringify(list);
  await tx.query("select pg_notify($1, $2)", [workChannel, message.length > maxPayloadLength ? "" : message]);
  return () => wake(list);
}

/** Makes all processes look for due notifications of all receiving hosts, when the transaction commits. */
export async function announceAll(queries: Queries): Promise<void> {
  await queries.query("select pg_notify($1, '')", [workChannel]);
}
