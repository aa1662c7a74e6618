/** Deletes everything about the listeners of a project: a deletion by their owner keeps their notifications for their time. */
import type { Queries } from "../base/storage/database.ts";
import type { Session } from "../base/storage/session.ts";
import { deletePastReads } from "./past-progress.ts";

/** Batches per transaction, so that none holds its locks for long. */
const pageBatches = 500;

/**
 * Call this after disabling the project, so that no block stores further notifications. Deletes the listeners last: after an
 * interruption, the next call continues.
 */
export async function deleteListenersOf(session: Session, projectId: number): Promise<void> {
  const networks = await session.query<{
    chain_id: string;
    ids: readonly string[];
    hosts: readonly string[];
  }>(
    `select chain_id, array_agg(id::text) as ids, array_agg(distinct host) as hosts
     from webhook_listener where project_id = $1 group by chain_id order by chain_id`,
    [projectId],
  );
  for (const { chain_id: chainId, ids } of networks) await deleteNotifications(session, chainId, ids);
  const ids = networks.flatMap((network) => network.ids);
  await session.transaction(async () => {
    await session.query("delete from webhook_listener where project_id = $1", [projectId]);
    await deletePastReads(session, ids);
    await session.query("delete from webhook_health where listener_id = any($1::bigint[])", [ids]);
    await session.query(
      `delete from webhook_destination destination
       where host = any($1) and not exists (select from webhook_listener where host = destination.host)`,
      [networks.flatMap(({ hosts }) => hosts)],
    );
  });
}

interface Page {
  readonly first: string | null;
  readonly last: string | null;
}

const pageSql = `
select min(first_sequence) as first, max(last_sequence) as last
from (select first_sequence, last_sequence from webhook_batch where chain_id = $1 and first_sequence > $2
      order by first_sequence limit ${pageBatches}) as page`;

/** Walks through the batches of a network, because no index finds all notifications of a listener. */
async function deleteNotifications(
  session: Session,
  chainId: string,
  listenerIds: readonly string[],
): Promise<void> {
  let after = "-1";
  for (;;) {
    const [page] = await session.query<Page>(pageSql, [chainId, after]);
    const { first = null, last = null } = page ?? {};
    if (first === null || last === null) return;
    await session.transaction(() => deletePage(session, [chainId, first, last], listenerIds));
    after = last;
  }
}

/** Deletes the batches, too, that have no other notifications. */
async function deletePage(
  queries: Queries,
  range: readonly string[],
  listenerIds: readonly string[],
): Promise<void> {
  await queries.query(
    `with gone as (
       delete from webhook_notification
       where chain_id = $1 and sequence between $2 and $3 and listener_id = any($4::bigint[]) returning chain_id, sequence
     )
     delete from webhook_attempt attempt using gone
     where attempt.chain_id = gone.chain_id and attempt.sequence = gone.sequence`,
    [...range, listenerIds],
  );
  await queries.query(
    `delete from webhook_batch batch
     where chain_id = $1 and first_sequence between $2 and $3 and not exists (
       select from webhook_notification
       where chain_id = batch.chain_id and sequence between batch.first_sequence and batch.last_sequence
     )`,
    range,
  );
}
