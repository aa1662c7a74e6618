/** Queries of the commands `webhooks list` and `webhooks show`. */
import type { Queries } from "../../../base/storage/database.ts";
import { utcSeconds } from "../../../base/storage/utc.ts";
import { isNotified, type Past } from "../../../webhooks/listener.ts";
import { batchOf, type NotificationState } from "../../../webhooks/notifications.ts";
import { blocksLeft, pastOf } from "../../../webhooks/past-reads.ts";

export type TableRow = Readonly<Record<string, string | number | boolean | null>>;

const listSql = `
select listener.id::float8 as listener, listener.project_id::float8 as "projectId", listener.chain_id::float8 as "chainId",
       listener.name, listener.url,
       case listener.pause_reason when 'owner' then 'paused by owner' else coalesce(listener.pause_reason, 'active') end as state,
       listener.delivery, case listener.delivery when 'head' then listener.confirmations end as confirmations,
       (select count(*)::float8 from webhook_notification where listener_id = listener.id and state = 'held') as held,
       (select count(*)::float8 from webhook_notification where listener_id = listener.id and state = 'waiting') as waiting,
       (select count(*)::float8 from webhook_notification where listener_id = listener.id and state = 'failed') as failed,
       ${utcSeconds("health.failing_since")} as "failingSince",
       (select count(*)::float8 from webhook_near_miss where listener_id = listener.id) as "nearMisses",
       (select (${blocksLeft})::float8 from webhook_past past
        join follower_cursor cursor on cursor.chain_id = past.chain_id where past.listener_id = listener.id) as "pastBlocks"
from webhook_listener listener left join webhook_health health on health.listener_id = listener.id
where $1::bigint is null or listener.project_id = $1
order by listener.project_id, listener.chain_id, listener.id`;

export function listWebhooks(queries: Queries, projectId: number | null): Promise<readonly TableRow[]> {
  return queries.query<TableRow>(listSql, [projectId]);
}

const pastSql = `
select ${pastOf("listener.id")} as past, not ${isNotified} as "isPaused",
       exists (select from webhook_past past join follower_cursor cursor on cursor.chain_id = past.chain_id
               where listener_id = listener.id and next_block > block_number) as "isWaiting"
from webhook_listener listener where id = $1`;

export interface PastReading {
  /** Null: the listener gets new blocks. */
  readonly past: Past | null;
  /** No blocks are read for the listener, because its owner has paused it or its receiver is gone. */
  readonly isPaused: boolean;
  /** The host has not followed the next block of the past. */
  readonly isWaiting: boolean;
}

/** Returns undefined if the listener does not exist. */
export async function showPast(queries: Queries, listenerId: number): Promise<PastReading | undefined> {
  const [reading] = await queries.query<PastReading>(pastSql, [listenerId]);
  return reading;
}

const historySql = `
select notification.sequence::float8 as sequence,
       webhook_uid(batch.chain_id, block_hash, log_indexes[notification.event - first_event + 1], is_removal) as uid,
       notification.state, batch.block_number::float8 as block,
       case when is_removal then 'BLOCK_REMOVED' else 'BLOCK_ADDED' end as type, notification.attempts,
       attempt.status, attempt.fault,
       ${utcSeconds("attempt.at")} as "lastAttempt",
       case when notification.state = 'waiting' and isfinite(notification.due_at)
            then ${utcSeconds("notification.due_at")} end as due
from webhook_listener listener
join webhook_notification notification on notification.chain_id = listener.chain_id and notification.listener_id = listener.id
cross join lateral (${batchOf("notification")}) as batch
left join webhook_attempt attempt on attempt.chain_id = notification.chain_id
  and attempt.sequence = notification.sequence and attempt.attempt = notification.attempts
where listener.id = $1 and ($2::text is null or notification.state = $2)
order by notification.sequence desc limit $3`;

/** The newest notifications of a listener, each with its last attempt. */
export function showWebhook(
  queries: Queries,
  listenerId: number,
  { state, limit }: { readonly state: NotificationState | undefined; readonly limit: number },
): Promise<readonly TableRow[]> {
  return queries.query<TableRow>(historySql, [listenerId, state ?? null, limit]);
}
