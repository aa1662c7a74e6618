/** The delivery queue, which is the table of notifications. */
import type { Queries } from "../../base/storage/database.ts";
import { type Format, mayBeCalled, validPreviousSecret } from "../listener.ts";
import { batchOf, unpackBodies, withUid } from "../notifications.ts";
import { isSealedWith } from "../sealed-secrets.ts";

/** One notification, with everything needed to send it. */
export interface QueueItem {
  readonly chainId: number;
  readonly sequence: number;
  readonly listener: DeliveryTarget;
  /** Attempts since the notification was stored or last replayed. */
  readonly attempts: number;
  /** Value of the header `webhook-id`. The same for each listener. */
  readonly id: string;
  readonly storedBody: string;
}

/** The listener of queue items. The items of one page share one object per listener. */
export interface DeliveryTarget {
  readonly id: number;
  readonly url: string;
  readonly format: Format;
  /** Encrypted secrets, the newest first. */
  readonly sealed: readonly Buffer[];
  /** The listener is paused for failing, and this item is its probe. */
  readonly isProbe: boolean;
}

/**
 * `backlog (listener_id, due_at)`: the earliest waiting notification of each listener. A loose index scan that jumps from
 * listener to listener, so that its cost grows with the number of listeners and not of notifications.
 */
const backlog = `
with recursive backlog as (
  (select listener_id, due_at from webhook_notification where state = 'waiting' order by listener_id, due_at limit 1)
  union all
  select next.listener_id, next.due_at
  from backlog cross join lateral (
    select listener_id, due_at from webhook_notification
    where state = 'waiting' and listener_id > backlog.listener_id
    order by listener_id, due_at limit 1
  ) as next
)`;

const dueDestinationsSql = {
  name: "webhook-due-destinations",
  text: `${backlog}
select distinct listener.host as destination
from backlog
join webhook_listener listener on listener.id = backlog.listener_id
left join webhook_health health on health.listener_id = listener.id
left join webhook_destination destination on destination.host = listener.host
where backlog.due_at <= now()
  and ${isSealedWith("$2::text[]")}
  and ${mayBeCalled}
  and (destination.host is null or destination.lease_until < now() or destination.owner = $1)`,
};

/**
 * Returns the destinations that this owner leases, or that no process leases, with due items that one of these signing keys can
 * sign.
 */
export async function dueDestinations(
  queries: Queries,
  owner: string,
  keyIds: readonly string[],
): Promise<readonly string[]> {
  const rows = await queries.query<{ destination: string }>(dueDestinationsSql, [owner, keyIds]);
  return rows.map(({ destination }) => destination);
}

const oldestDueSql = {
  name: "webhook-oldest-due",
  text: `${backlog}
select coalesce(extract(epoch from now() - min(backlog.due_at)), 0)::float8 as seconds
from backlog join webhook_listener listener on listener.id = backlog.listener_id
where backlog.due_at <= now() and listener.pause_reason is null and not listener.is_disabled and listener.secret <> ''`,
};

/** Returns the age of the oldest due item of an active listener that has a secret, in seconds; 0 if there is none or the database is unavailable. */
export async function oldestDueSeconds(queries: Queries): Promise<number> {
  const [row] = await queries.query<{ seconds: number }>(oldestDueSql).catch(() => []);
  return row?.seconds ?? 0;
}

export interface PageRequest {
  readonly destination: string;
  /** Of the signing keys of this process. Leaves out listeners whose secrets need another key. */
  readonly keyIds: readonly string[];
  /** Items that this process has read, but whose results are not stored. */
  readonly unstored: readonly Pick<QueueItem, "chainId" | "sequence">[];
  /** Listeners to leave out. */
  readonly excluded: readonly number[];
  /** Listeners for which only one item is read. */
  readonly limitedToOne: readonly number[];
  readonly itemsPerListener: number;
  readonly limit: number;
}

interface PageRow {
  readonly chain_id: string;
  readonly sequence: string;
  readonly attempts: number;
  /** Position of the event in its batch. */
  readonly position: number;
  readonly first_sequence: string;
  readonly occurrence: number;
  /** Null if another row of the page has the bodies of the batch. */
  readonly bodies: Buffer | null;
  readonly block_hash: Buffer;
  readonly log_index: number;
  readonly is_removal: boolean;
  readonly listener_id: string;
  readonly url: string | null;
  readonly format: Format | null;
  readonly secret: Buffer | null;
  readonly previous_secret: Buffer | null;
  readonly is_probe: boolean;
}

/**
 * Round robin: the first item of each listener, then the second of each, so that no listener waits behind another's backlog. The bodies of a
 * batch are in one of its rows, and the settings of a listener in its first one.
 */
const pageSql = {
  name: "webhook-page",
  text: `
with page as (
  select due.chain_id, due.sequence, due.attempts - due.attempts_before as attempts, due.rank, due.due_at,
         (due.event - batch.first_event)::int as position, batch.first_sequence, batch.occurrence, batch.bodies, batch.block_hash, batch.is_removal,
         batch.log_indexes[due.event - batch.first_event + 1] as log_index,
         listener.id as listener_id, listener.url, listener.format, listener.secret,
         ${validPreviousSecret} as previous_secret,
         listener.pause_reason is not null as is_probe
  from webhook_listener listener
  left join webhook_health health on health.listener_id = listener.id
  cross join lateral (
    select chain_id, sequence, event, attempts, attempts_before, due_at, row_number() over (order by due_at, sequence) as rank
    from (
      select chain_id, sequence, event, attempts, attempts_before, due_at from webhook_notification
      where listener_id = listener.id and state = 'waiting' and due_at <= now()
        and (chain_id, sequence) not in (select * from unnest($2::bigint[], $3::bigint[]))
      order by due_at, sequence
      limit case when listener.pause_reason is null and listener.id <> all($7::bigint[]) then $5::int else 1 end
    ) as first
  ) as due
  cross join lateral (${batchOf("due")}) as batch
  where listener.host = $1 and listener.id <> all($4::bigint[]) and ${isSealedWith("$8::text[]")}
    and ${mayBeCalled}
  order by due.rank, due.due_at, due.sequence
  limit $6
)
select chain_id, sequence, attempts, position, first_sequence, occurrence, block_hash, log_index, is_removal, listener_id,
       case when is_first then url end as url, case when is_first then format end as format,
       case when is_first then secret end as secret, case when is_first then previous_secret end as previous_secret, is_probe,
       case when row_number() over (partition by chain_id, first_sequence) = 1 then bodies end as bodies
from (
  select *, row_number() over (partition by listener_id order by rank, due_at, sequence) = 1 as is_first from page
) as page
order by rank, due_at, sequence`,
};

export async function readPage(
  queries: Queries,
  { destination, keyIds, unstored, excluded, limitedToOne, itemsPerListener, limit }: PageRequest,
): Promise<readonly QueueItem[]> {
  const rows = await queries.query<PageRow>(pageSql, [
    destination,
    unstored.map(({ chainId }) => chainId),
    unstored.map(({ sequence }) => sequence),
    excluded,
    itemsPerListener,
    limit,
    limitedToOne,
    keyIds,
  ]);
  const targets = new Map<string, DeliveryTarget>();
  const batches = new Map(
    rows.flatMap((row) => (row.bodies === null ? [] : [[batchKey(row), unpackBodies(row.bodies)] as const])),
  );
  return rows.map((row) => {
    let listener = targets.get(row.listener_id);
    if (listener === undefined) {
      listener = targetOf(row);
      targets.set(row.listener_id, listener);
    }
    const body = batches.get(batchKey(row))?.[row.position];
    if (body === undefined) throw new Error(`the notification ${row.sequence} is missing in its batch`);
    const chainId = Number(row.chain_id);
    const { block_hash: blockHash, log_index: logIndex, is_removal: isRemoval } = row;
    const { uid, body: storedBody } = withUid({ chainId, blockHash, logIndex, isRemoval, body });
    return {
      chainId,
      sequence: Number(row.sequence),
      listener,
      attempts: row.attempts,
      id: `${uid}-${row.occurrence}`,
      storedBody,
    };
  });
}

function batchKey({ chain_id, first_sequence }: Pick<PageRow, "chain_id" | "first_sequence">): string {
  return `${chain_id}/${first_sequence}`;
}

function targetOf(row: PageRow): DeliveryTarget {
  const { url, format, secret, previous_secret, is_probe } = row;
  if (url === null || format === null || secret === null)
    throw new Error(`the first row of listener ${row.listener_id} lacks its settings`);
  const sealed = previous_secret === null ? [secret] : [secret, previous_secret];
  return { id: Number(row.listener_id), url, format, sealed, isProbe: is_probe };
}
