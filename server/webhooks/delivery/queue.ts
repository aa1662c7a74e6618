import type { Database, Queries } from "../../base/storage/database.ts";
import type { Format } from "../listener.ts";
import { mayBeCalled, validPreviousSecret } from "../listener-sql.ts";

/** What waits to be sent, as the database keeps it. */

/** One notification, with what is needed to send it. */
export interface Item {
  readonly chainId: number;
  readonly sequence: number;
  readonly listener: Receiver;
  /** Since it was stored or replayed. */
  readonly attempts: number;
  /** The header webhook-id. */
  readonly id: string;
  readonly stored: string;
}

/** A listener as its notifications need it; one object for all of a page. */
export interface Receiver {
  readonly id: number;
  readonly url: string;
  readonly format: Format;
  /** The newest first. */
  readonly sealed: readonly Buffer[];
  /** It was paused for failing, and is tried once. */
  readonly isProbe: boolean;
}

/** `backlog (listener_id, due_at)`: goes from one listener that has something waiting to the next, and looks at its first only: as quick as there are such listeners. */
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

const dueHostsSql = {
  name: "webhook-due-hosts",
  text: `${backlog}
select distinct listener.host
from backlog
join webhook_listener listener on listener.id = backlog.listener_id
left join webhook_health health on health.listener_id = listener.id
left join webhook_destination destination on destination.host = listener.host
where backlog.due_at <= now()
  and ${mayBeCalled}
  and (destination.host is null or destination.lease_until < now() or destination.owner = $1)`,
};

/** Hosts that have something to be called for, and are this owner's or nobody's. */
export async function dueHosts(queries: Queries, owner: string): Promise<readonly string[]> {
  const rows = await queries.query<{ host: string }>(dueHostsSql, [owner]);
  return rows.map(({ host }) => host);
}

const oldestDueSql = {
  name: "webhook-oldest-due",
  text: `${backlog}
select coalesce(extract(epoch from now() - min(backlog.due_at)), 0)::float8 as seconds
from backlog join webhook_listener listener on listener.id = backlog.listener_id
where backlog.due_at <= now() and listener.pause_reason is null`,
};

/** How long the oldest of what may be sent waits to be, in seconds; 0: nothing does, or nobody can say. */
export async function oldestDue(queries: Queries): Promise<number> {
  const [row] = await queries.query<{ seconds: number }>(oldestDueSql).catch(() => []);
  return row?.seconds ?? 0;
}

export interface PageRequest {
  readonly host: string;
  /** What was taken before and is not settled yet. */
  readonly taken: readonly Pick<Item, "chainId" | "sequence">[];
  /** Listeners for which nothing is to be read. */
  readonly leftOut: readonly number[];
  /** Listeners for which one is enough. */
  readonly single: readonly number[];
  readonly perListener: number;
  readonly most: number;
}

interface PageRow {
  readonly chain_id: string;
  readonly sequence: string;
  readonly attempts: number;
  readonly uid: string;
  readonly occurrence: number;
  readonly body: string;
  readonly listener_id: string;
  readonly url: string;
  readonly format: Format;
  readonly secret: Buffer;
  readonly previous_secret: Buffer | null;
  readonly is_probe: boolean;
}

/** The first of each listener come first, then the second of each, so that none waits for another's backlog. */
const pageSql = {
  name: "webhook-page",
  text: `
select due.chain_id, due.sequence, due.attempts - due.attempts_before as attempts, event.uid, event.occurrence, event.body,
       listener.id as listener_id, listener.url, listener.format, listener.secret,
       ${validPreviousSecret} as previous_secret,
       listener.pause_reason is not null as is_probe
from webhook_listener listener
left join webhook_health health on health.listener_id = listener.id
cross join lateral (
  select chain_id, sequence, event, attempts, attempts_before, due_at, row_number() over (order by due_at, sequence) as place
  from (
    select chain_id, sequence, event, attempts, attempts_before, due_at from webhook_notification
    where listener_id = listener.id and state = 'waiting' and due_at <= now()
      and (chain_id, sequence) not in (select * from unnest($2::bigint[], $3::bigint[]))
    order by due_at, sequence
    limit case when listener.pause_reason is null and listener.id <> all($7::bigint[]) then $5::int else 1 end
  ) as first
) as due
join webhook_event event on event.chain_id = due.chain_id and event.number = due.event
where listener.host = $1 and listener.id <> all($4::bigint[])
  and ${mayBeCalled}
order by due.place, due.due_at, due.sequence
limit $6`,
};

export async function readPage(
  queries: Queries,
  { host, taken, leftOut, single, perListener, most }: PageRequest,
): Promise<readonly Item[]> {
  const rows = await queries.query<PageRow>(pageSql, [
    host,
    taken.map(({ chainId }) => chainId),
    taken.map(({ sequence }) => sequence),
    leftOut,
    perListener,
    most,
    single,
  ]);
  const receivers = new Map<string, Receiver>();
  return rows.map((row) => {
    let listener = receivers.get(row.listener_id);
    if (listener === undefined) {
      listener = receiverOf(row);
      receivers.set(row.listener_id, listener);
    }
    return {
      chainId: Number(row.chain_id),
      sequence: Number(row.sequence),
      listener,
      attempts: row.attempts,
      id: `${row.uid}-${row.occurrence}`,
      stored: row.body,
    };
  });
}

function receiverOf(row: PageRow): Receiver {
  const { url, format, secret, previous_secret, is_probe } = row;
  const sealed = previous_secret === null ? [secret] : [secret, previous_secret];
  return { id: Number(row.listener_id), url, format, sealed, isProbe: is_probe };
}

/** What became of one attempt, to be written down. */
export interface Settled {
  readonly item: Item;
  readonly state: "accepted" | "waiting" | "parked";
  /** How long it waits then, in milliseconds. */
  readonly waitMs: number;
  readonly at: Date;
  readonly tookMs: number;
  readonly status: number | undefined;
  readonly fault: string | undefined;
}

const settleSql = {
  name: "webhook-settle",
  text: `
with result as (
  select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::float8[], $5::timestamptz[], $6::int[], $7::int[], $8::text[])
    as result (chain_id, sequence, state, wait_seconds, at, took_ms, status, fault)
), settled as (
  update webhook_notification notification
  set state = result.state, attempts = attempts + 1,
      due_at = case when result.state = 'waiting' then now() + make_interval(secs => result.wait_seconds) else due_at end
  from result
  where notification.chain_id = result.chain_id and notification.sequence = result.sequence
    and notification.state = 'waiting'
  returning notification.chain_id, notification.sequence, notification.attempts
)
insert into webhook_attempt (chain_id, sequence, attempt, at, took_ms, status, fault)
select chain_id, sequence, settled.attempts, at, took_ms, status, fault
from settled join result using (chain_id, sequence)
on conflict do nothing`,
};

/** A removal waits until what it takes back was accepted; if that was set aside and never accepted before, nobody needs either. */
const unblockSql = {
  name: "webhook-unblock",
  text: `
with freed as (
  update webhook_notification removal
  set state = case when addition.state = 'parked' and not exists (
        select 1 from webhook_attempt where chain_id = addition.chain_id and sequence = addition.sequence and fault is null
      ) then 'dropped' else removal.state end,
      due_at = now()
  from webhook_notification addition
  where removal.state = 'waiting' and removal.due_at = 'infinity'
    and (removal.chain_id, removal.after) in (select * from unnest($1::bigint[], $2::bigint[]))
    and addition.chain_id = removal.chain_id and addition.sequence = removal.after
    and addition.state in ('accepted', 'parked')
  returning removal.chain_id, removal.after, removal.state
), dropped as (
  update webhook_notification addition set state = 'dropped'
  from freed
  where freed.state = 'dropped' and addition.chain_id = freed.chain_id and addition.sequence = freed.after
)
select count(*) from freed where state = 'waiting'`,
};

const healthSql = {
  name: "webhook-health",
  text: `
insert into webhook_health (listener_id, attempts, successes, failing_since)
select * from unnest($1::bigint[], $2::int[], $3::int[], $4::timestamptz[]) as batch (listener_id, attempts, successes, failing_since)
order by listener_id
on conflict (listener_id) do update set
  attempts = webhook_health.attempts + excluded.attempts,
  successes = webhook_health.successes + excluded.successes,
  failing_since = case when excluded.successes > 0 then excluded.failing_since
                       else coalesce(webhook_health.failing_since, excluded.failing_since) end
returning listener_id, attempts, successes, failing_since`,
};

/** How a listener's receiver does, since the listener was made or resumed. */
export interface Health {
  readonly listenerId: number;
  readonly attempts: number;
  readonly successes: number;
  readonly failingSince: Date | undefined;
}

interface HealthRow {
  readonly listener_id: string;
  readonly attempts: string;
  readonly successes: string;
  readonly failing_since: Date | null;
}

/**
 * Writes down what became of attempts, and answers how the receivers do. Not flushed to the disk before it is answered: should
 * Postgres die in that moment, some are sent once more, which they may be.
 */
export function settle(database: Database, batch: readonly Settled[]): Promise<readonly Health[]> {
  const chainIds = batch.map(({ item }) => item.chainId);
  const sequences = batch.map(({ item }) => item.sequence);
  return database.transaction(async (tx) => {
    await tx.query("set local synchronous_commit to off");
    await tx.query(settleSql, [
      chainIds,
      sequences,
      batch.map(({ state }) => state),
      batch.map(({ waitMs }) => waitMs / 1_000),
      batch.map(({ at }) => at),
      batch.map(({ tookMs }) => Math.round(tookMs)),
      batch.map(({ status }) => status ?? null),
      batch.map(({ fault }) => fault ?? null),
    ]);
    // A statement of its own: a removal may have been stored while the one before waited for its writer.
    await tx.query(unblockSql, [chainIds, sequences]);
    const health = healthOf(batch);
    const rows = await tx.query<HealthRow>(healthSql, [
      health.map(({ listenerId }) => listenerId),
      health.map(({ attempts }) => attempts),
      health.map(({ successes }) => successes),
      health.map(({ failingSince }) => failingSince ?? null),
    ]);
    return rows.map((row) => ({
      listenerId: Number(row.listener_id),
      attempts: Number(row.attempts),
      successes: Number(row.successes),
      failingSince: row.failing_since ?? undefined,
    }));
  });
}

/** By listener, what the batch says of its receiver. */
function healthOf(batch: readonly Settled[]): readonly Health[] {
  const found = new Map<number, Health>();
  for (const { item, state, at } of batch) {
    const listenerId = item.listener.id;
    const before = found.get(listenerId) ?? {
      listenerId,
      attempts: 0,
      successes: 0,
      failingSince: undefined,
    };
    const isGood = state === "accepted";
    found.set(listenerId, {
      listenerId,
      attempts: before.attempts + 1,
      successes: before.successes + (isGood ? 1 : 0),
      failingSince: isGood ? undefined : (before.failingSince ?? at),
    });
  }
  return [...found.values()];
}
