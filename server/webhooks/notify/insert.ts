/** Stores the notifications of a few events in one statement, like `store`. `COPY` takes several round trips, which delay the webhooks of a block. */
import type { CopyValue } from "../../base/storage/copy.ts";
import type { ChainTransaction } from "../../chain/follower/derive/deriver.ts";
import { batchRows } from "./batches.ts";
import { type ConfirmationDue, isConfirmationDue } from "./held.ts";
import type { NetworkRow } from "./network-row.ts";
import type { NewNotifications } from "./new-notifications.ts";

const insertSql = {
  name: "webhook-insert",
  text: `
with batch as (
  insert into webhook_batch (chain_id, first_sequence, last_sequence, first_event, block_number, block_hash, log_indexes, is_removal,
                             occurrence, bodies)
  select chain_id, first_sequence, last_sequence, first_event, block_number, block_hash, log_indexes::int[], is_removal, occurrence, bodies
  from unnest($5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bytea[], $11::text[], $12::boolean[],
              $13::int[], $14::bytea[])
    as batch (chain_id, first_sequence, last_sequence, first_event, block_number, block_hash, log_indexes, is_removal, occurrence, bodies)
), notification as (
  insert into webhook_notification (chain_id, sequence, listener_id, event, state, delivery, block_number)
  select $1, $2 - cardinality($15::bigint[]) + place, listener_id, event,
         case when delivery is null then 'waiting' else 'held' end, delivery, block_number
  from unnest($15::bigint[], $16::bigint[], $17::text[], $18::bigint[])
    with ordinality as notification (listener_id, event, delivery, block_number, place)
)
update webhook_network set last_sequence = $2, last_event = $3, last_block = greatest(last_block, $4) where chain_id = $1
returning ${isConfirmationDue("$19")}`,
};

export async function insertNotifications(
  { query, chainId }: ChainTransaction,
  { lastSequence, lastEvent }: Pick<NetworkRow, "lastSequence" | "lastEvent">,
  { events, lastBlock, head }: NewNotifications,
): Promise<boolean> {
  const first = { firstSequence: lastSequence + 1, firstEvent: lastEvent + 1, isRemoval: false };
  const batches = [...batchRows(chainId, first, events)];
  const notifications = events.flatMap(({ recipients }, index) =>
    recipients.map((recipient) => ({ ...recipient, event: lastEvent + 1 + index })),
  );
  const cells = (column: number): readonly (CopyValue | undefined)[] => batches.map((row) => row[column]);
  const [row] = await query<ConfirmationDue>(insertSql, [
    chainId,
    lastSequence + notifications.length,
    lastEvent + events.length,
    lastBlock,
    ...Array.from({ length: 10 }, (_, column) => cells(column)),
    notifications.map(({ listenerId }) => listenerId),
    notifications.map(({ event }) => event),
    notifications.map(({ hold }) => hold?.delivery ?? null),
    notifications.map(({ hold }) => hold?.block ?? null),
    head,
  ]);
  return row?.is_confirmation_due === true;
}
