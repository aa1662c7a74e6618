/** The table of responses to calls with idempotency keys. */
import { inBackground, pause, repeatUntil } from "../repeat.ts";
import type { Database, Queries } from "./database.ts";

/** How long a key is known, in hours. */
const keptHours = 24;

/** Most keys of a project. The oldest ones beyond this limit are deleted, and are then new again. */
const maxPerProject = 10_000;

/** A key with its scope: the same key of another scope is another one. */
export interface ScopedKey {
  readonly scope: string;
  readonly key: string;
}

export interface KeptRow {
  /** Identifies the request. */
  readonly fingerprint: string;
  readonly response: Buffer;
}

/**
 * Locks a key until the transaction ends, even if this process dies. Returns false if another transaction has the lock.
 * The number is a hash: if two keys share it, their calls exclude each other.
 */
export async function lockKey(tx: Queries, { scope, key }: ScopedKey): Promise<boolean> {
  const [row] = await tx.query<{ has_lock: boolean }>(
    {
      name: "kept-response-lock",
      text: "select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as has_lock",
    },
    [JSON.stringify([scope, key])],
  );
  return row?.has_lock === true;
}

/** Call this with the lock, in a statement of its own: a statement does not see what is committed after its start. */
export async function findResponse(tx: Queries, { scope, key }: ScopedKey): Promise<KeptRow | undefined> {
  const [row] = await tx.query<KeptRow>(
    {
      name: "kept-response-find",
      text: `select fingerprint, response from kept_response
             where scope = $1 and key = $2 and kept_at > now() - make_interval(hours => $3)`,
    },
    [scope, key, keptHours],
  );
  return row;
}

export async function keepResponse(
  tx: Queries,
  { scope, key }: ScopedKey,
  projectId: number,
  { fingerprint, response }: KeptRow,
): Promise<void> {
  await tx.query(
    {
      name: "kept-response-keep",
      // An old row stays until it is deleted.
      text: `insert into kept_response (scope, key, project_id, fingerprint, response) values ($1, $2, $3, $4, $5)
             on conflict (scope, key) do update
             set project_id = excluded.project_id, fingerprint = excluded.fingerprint,
                 response = excluded.response, kept_at = excluded.kept_at`,
    },
    [scope, key, projectId, fingerprint, response],
  );
}

/** Interval between deletions, in milliseconds. */
const deletionIntervalMs = 60_000;

/** Most rows that one statement deletes. */
const maxRows = 5_000;

/** Key of the advisory lock that lets only one process delete: any number that is not used elsewhere in the database. */
const deletionLock = 7_116_010;

/** Deletes old responses at intervals until it is closed. */
export function openResponseDeletion(database: Database, onFailure: (err: unknown) => void): AsyncDisposable {
  return inBackground(async (signal) => {
    await pause(deletionIntervalMs, signal);
    await repeatUntil(signal, deletionIntervalMs, () => deleteOldResponses(database, signal), onFailure);
  });
}

/** Deletes old responses, and those of projects with too many, until none is left or `signal` is aborted. */
export async function deleteOldResponses(
  database: Pick<Database, "transaction">,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  while (!signal.aborted && (await database.transaction(deleteSomeResponses))) {}
}

/** Returns true if there may be more. */
async function deleteSomeResponses(tx: Queries): Promise<boolean> {
  const [lock] = await tx.query<{ has_lock: boolean }>("select pg_try_advisory_xact_lock($1) as has_lock", [
    deletionLock,
  ]);
  if (lock?.has_lock !== true) return false;
  const old = await tx.query(deleteOldSql, [keptHours, maxRows]);
  const surplus = await tx.query(deleteSurplusSql, [maxPerProject, maxRows]);
  return Math.max(old.length, surplus.length) >= maxRows;
}

// By position (ctid): a join with the keys may be planned as a scan of the table for each row.
const deleteOldSql = `
delete from kept_response where ctid = any (array(
  select ctid from kept_response where kept_at <= now() - make_interval(hours => $1) limit $2
))
returning 1`;

const deleteSurplusSql = `
delete from kept_response where ctid = any (array(
  with recursive owner as (
    (select project_id from kept_response order by project_id limit 1)
    union all
    select (select project_id from kept_response
            where project_id > owner.project_id order by project_id limit 1)
    from owner where owner.project_id is not null
  )
  select surplus.ctid
  from owner cross join lateral (
    select ctid from kept_response
    where project_id = owner.project_id order by kept_at desc offset $1 limit $2
  ) as surplus
  where owner.project_id is not null
  limit $2
))
returning 1`;
