import type { ChainTransaction } from "../../chain/follower/derive/deriver.ts";

/** The network's row, shared by all its listeners. */
export interface NetworkRow {
  /** Changes whenever a listener of the network changes. */
  readonly revision: number;
  readonly lastSequence: number;
  readonly lastEvent: number;
  /** Blocks up to this number were notified before a rewind. Only their skipped logs produce notifications. */
  readonly mutedThrough: number;
}

const lockSql = {
  name: "webhook-network-lock",
  text: `select revision, last_sequence, last_event, muted_through from webhook_network where chain_id = $1 for update`,
};

/** Locks the row: listeners cannot change, and no other notifications are stored, until the transaction ends. */
export async function lockNetwork(tx: ChainTransaction): Promise<NetworkRow | undefined> {
  const [row] = await tx.query<Record<"revision" | "last_sequence" | "last_event" | "muted_through", string>>(
    lockSql,
    [tx.chainId],
  );
  return (
    row && {
      revision: Number(row.revision),
      lastSequence: Number(row.last_sequence),
      lastEvent: Number(row.last_event),
      mutedThrough: Number(row.muted_through),
    }
  );
}
