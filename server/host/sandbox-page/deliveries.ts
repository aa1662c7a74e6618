import type { Queries } from "../../base/storage/database.ts";
import { utc } from "../../base/storage/utc.ts";
import { batchOf, unpackBodies } from "../../webhooks/notifications.ts";
import { replay } from "../../webhooks/replay.ts";
import type { LiveDelivery, LiveNearMiss } from "./snapshot.ts";

const deliveriesSql = `
select newest.chain_id::float8 as "chainId", newest.sequence::float8 as sequence, listener.id::float8 as "listenerId",
       listener.name as listener, listener.url, batch.block_number::float8 as block,
       case when batch.is_removal then 'BLOCK_REMOVED' else 'BLOCK_ADDED' end as type,
       batch.bodies, (newest.event - batch.first_event)::int as position, newest.state,
       (select coalesce(json_agg(json_build_object('at', ${utc("attempt.at")}, 'tookMs', attempt.took_ms,
                 'status', attempt.status, 'fault', attempt.fault) order by attempt.attempt), '[]')
        from (select * from webhook_attempt where chain_id = newest.chain_id and sequence = newest.sequence
              order by attempt desc limit 10) as attempt) as attempts,
       case when newest.state = 'waiting' and isfinite(newest.due_at) then ${utc("newest.due_at")} end as "dueAt"
from webhook_network network
cross join lateral (
  select * from webhook_notification where chain_id = network.chain_id order by sequence desc limit 40
) as newest
join webhook_listener listener on listener.id = newest.listener_id
cross join lateral (${batchOf("newest")}) as batch
order by batch.stored_at desc, newest.sequence desc limit 40`;

interface DeliveryRow extends Omit<LiveDelivery, "event"> {
  readonly bodies: Buffer;
  readonly position: number;
}

export async function readDeliveries(queries: Queries): Promise<readonly LiveDelivery[]> {
  const rows = await queries.query<DeliveryRow>(deliveriesSql);
  return rows.map(({ bodies, position, ...delivery }) => ({
    ...delivery,
    event: signatureIn(unpackBodies(bodies)[position]),
  }));
}

function signatureIn(body = "{}"): string {
  const { event } = JSON.parse(body) as { readonly event?: { readonly eventSig?: string } };
  return event?.eventSig ?? "";
}

const nearMissesSql = `
select listener.id::float8 as "listenerId", listener.name as listener, near.event, near.matching_event as "matchingEvent",
       near.logs::float8 as logs
from webhook_near_miss near join webhook_listener listener on listener.id = near.listener_id
order by near.block_number desc, near.listener_id, near.event, near.indexed_count limit 20`;

export function readNearMisses(queries: Queries): Promise<readonly LiveNearMiss[]> {
  return queries.query<LiveNearMiss>(nearMissesSql);
}

/** Returns how many notifications are sent again: 0 if the delivery does not exist or is waiting already. */
export async function replayDelivery(queries: Queries, chainId: number, sequence: number): Promise<number> {
  return (await replay(queries, { chainId, sequence, onlyFailed: false })) ?? 0;
}
