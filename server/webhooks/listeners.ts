/** The table of listeners. Functions return undefined if the listener does not exist. */

import { randomBytes, randomInt } from "node:crypto";
import { RequestRejection } from "../base/request-rejection.ts";
import type { Queries } from "../base/storage/database.ts";
import type { Delivery, Filters, Format, Listener, Past, PauseReason, Timing } from "./listener.ts";
import { checkPastRead, deletePastReads, pastOf, startPastRead } from "./past-progress.ts";

/** The project and chain that listeners belong to. */
export interface ListenerScope {
  readonly projectId: number;
  readonly chainId: number;
}

/** Across all networks. */
const maxListenersPerProject = 1_000;

/**
 * Largest filters of all listeners of a project, in bytes of JSON: GetAllWebhookListeners returns them in one response, and the follower
 * keeps them in memory. A thousand listeners with usual filters have half a megabyte; a single one can have more than one.
 */
const maxFilterBytes = 4_194_304;

interface ListenerRow extends Timing {
  readonly id: string;
  readonly project_id: string;
  readonly chain_id: string;
  readonly url: string;
  readonly name: string;
  readonly format: Format;
  readonly filters: Filters;
  readonly pause_reason: PauseReason | null;
  readonly past: Past | null;
  readonly updated_at_text: string;
}

const columns = `id, project_id, chain_id, url, name, format, delivery, confirmations, filters, pause_reason,
  ${pastOf("webhook_listener.id")} as past,
  to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as updated_at_text`;

function listenerOf(row: ListenerRow): Listener {
  const { contractAddresses, events, tokenIDs, accounts, topicHashes } = row.filters;
  return {
    id: Number(row.id),
    projectId: Number(row.project_id),
    chainId: Number(row.chain_id),
    url: row.url,
    name: row.name,
    format: row.format,
    delivery: row.delivery,
    confirmations: row.confirmations,
    filters: {
      contractAddresses,
      events,
      ...(tokenIDs === undefined ? {} : { tokenIDs }),
      ...(accounts === undefined ? {} : { accounts }),
      ...(topicHashes === undefined ? {} : { topicHashes }),
    },
    pauseReason: row.pause_reason ?? undefined,
    past: row.past ?? undefined,
    updatedAt: row.updated_at_text,
  };
}

export interface NewListener extends ListenerScope {
  readonly url: string;
  readonly filters: Filters;
  /** Empty or undefined: a name is generated. */
  readonly name: string | undefined;
  readonly format: Format;
  readonly delivery: Delivery;
  /** Default: 1. */
  readonly confirmations?: number | undefined;
  /** The first block to notify. Undefined: the next one. */
  readonly fromBlock?: number | undefined;
  /** Encrypts the secret for a listener id. The id is chosen when the listener is stored. */
  readonly seal: (listenerId: number) => Buffer;
}

const insertSql = {
  name: "webhook-listener-insert",
  text: `insert into webhook_listener (id, project_id, chain_id, url, host, name, format, delivery, confirmations, filters,
           secret, is_disabled)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, (select disabled_at is not null from project where id = $2)) on conflict (id) do nothing returning ${columns}`,
};

/** Call this in a transaction: locking the project's row makes concurrent calls count its listeners one after the other. */
export async function addListener(tx: Queries, added: NewListener): Promise<Listener> {
  const { projectId, chainId, url, filters, format, delivery, confirmations, fromBlock } = added;
  checkConfirmations(delivery, confirmations);
  await tx.query("select 1 from project where id = $1 for no key update", [projectId]);
  const [row] = await tx.query<{ count: number }>(
    "select count(*)::int as count from webhook_listener where project_id = $1",
    [projectId],
  );
  if ((row?.count ?? 0) >= maxListenersPerProject)
    throw new RequestRejection(
      `the project has reached its limit of ${maxListenersPerProject} listeners; remove one first`,
    );
  if (fromBlock !== undefined) await checkPastRead(tx, added, fromBlock);
  const destination = destinationOf(url);
  const name = added.name || `${destination} #${randomBytes(3).toString("hex")}`;
  for (;;) {
    // Ids have 32 bits, as in Sequence's public service, whose clients may store them in that size. If the id is taken, another is drawn.
    const id = randomInt(1, 2 ** 32);
    const [created] = await tx.query<ListenerRow>(insertSql, [
      id,
      projectId,
      chainId,
      url,
      destination,
      name,
      format,
      delivery,
      confirmations ?? 1,
      JSON.stringify(filters),
      added.seal(id),
    ]);
    if (created === undefined) continue;
    await checkFilterBytes(tx, projectId);
    if (fromBlock === undefined) return listenerOf(created);
    await startPastRead(tx, { chainId, listenerId: id, fromBlock });
    return (await getListener(tx, added, id)) ?? listenerOf(created);
  }
}

/** Call this after a change, in its transaction. */
async function checkFilterBytes(tx: Queries, projectId: number): Promise<void> {
  await tx.query("select 1 from project where id = $1 for no key update", [projectId]);
  const [row] = await tx.query<{ bytes: number }>(
    "select sum(octet_length(filters::text))::float8 as bytes from webhook_listener where project_id = $1",
    [projectId],
  );
  if ((row?.bytes ?? 0) > maxFilterBytes)
    throw new RequestRejection(
      `/filters: those of all listeners of the project would have ${row?.bytes} bytes, at most ${maxFilterBytes} are allowed; remove listeners or filters first`,
    );
}

function checkConfirmations(delivery: Delivery, confirmations: number | undefined): void {
  if (confirmations !== undefined && delivery !== "head")
    throw new RequestRejection(
      `/confirmations: only listeners with the delivery "head" wait for confirmations, but delivery is "${delivery}"; omit confirmations, or set delivery to "head"`,
    );
}

/** Host name or address of a URL, in lower case and without its port. */
function destinationOf(url: string): string {
  return new URL(url).hostname;
}

export interface ListenerChange {
  readonly url?: string | undefined;
  readonly filters?: Filters | undefined;
  readonly name?: string | undefined;
  readonly format?: Format | undefined;
  readonly delivery?: Delivery | undefined;
  readonly confirmations?: number | undefined;
  /** False pauses the listener on behalf of its owner. True resumes the listener, whatever the reason of its pause. */
  readonly active?: boolean | undefined;
}

const updateSql = {
  name: "webhook-listener-update",
  text: `update webhook_listener set
           url = coalesce($4, url), host = coalesce($5, host), filters = coalesce($6::jsonb, filters),
           name = coalesce(nullif($7, ''), name), format = coalesce($8, format),
           delivery = coalesce($10, delivery),
           confirmations = case coalesce($10, delivery) when 'head' then coalesce($11, confirmations) else 1 end,
           pause_reason = case $9::boolean when true then null when false then 'owner' else pause_reason end,
           updated_at = now()
         where project_id = $1 and chain_id = $2 and id = $3 returning ${columns}`,
};

export async function updateListener(
  tx: Queries,
  { projectId, chainId }: ListenerScope,
  id: number,
  { url, filters, name, format, delivery, confirmations, active }: ListenerChange,
): Promise<Listener | undefined> {
  const [row] = await tx.query<ListenerRow>(updateSql, [
    projectId,
    chainId,
    id,
    url ?? null,
    url === undefined ? null : destinationOf(url),
    filters === undefined ? null : JSON.stringify(filters),
    name ?? null,
    format ?? null,
    active ?? null,
    delivery ?? null,
    confirmations ?? null,
  ]);
  if (row !== undefined) checkConfirmations(row.delivery, confirmations);
  if (row !== undefined && (active === true || url !== undefined)) await resetHealth(tx, [id]);
  if (row !== undefined && filters !== undefined) await checkFilterBytes(tx, projectId);
  return row && listenerOf(row);
}

/** Resets the health of the listener's receiver, which may be a different one now, or may have been repaired. */
async function resetHealth(tx: Queries, ids: readonly number[]): Promise<void> {
  await tx.query("delete from webhook_health where listener_id = any($1)", [ids]);
}

const toggleSql = {
  name: "webhook-listener-toggle",
  text: `update webhook_listener set
           pause_reason = case when pause_reason is null then 'owner' end, updated_at = now()
         where project_id = $1 and chain_id = $2 and id = $3 returning ${columns}`,
};

export async function toggleListener(
  tx: Queries,
  { projectId, chainId }: ListenerScope,
  id: number,
): Promise<Listener | undefined> {
  const [row] = await tx.query<ListenerRow>(toggleSql, [projectId, chainId, id]);
  if (row?.pause_reason === null) await resetHealth(tx, [id]);
  return row && listenerOf(row);
}

const setAllSql = {
  name: "webhook-listener-set-all",
  text: `update webhook_listener set pause_reason = $3, updated_at = now()
         where project_id = $1 and chain_id = $2 and pause_reason is distinct from $3 returning id`,
};

export async function pauseAllListeners(tx: Queries, { projectId, chainId }: ListenerScope): Promise<void> {
  await tx.query(setAllSql, [projectId, chainId, "owner"]);
}

export async function resumeAllListeners(tx: Queries, { projectId, chainId }: ListenerScope): Promise<void> {
  const rows = await tx.query<{ id: string }>(setAllSql, [projectId, chainId, null]);
  await resetHealth(
    tx,
    rows.map(({ id }) => Number(id)),
  );
}

const getSql = {
  name: "webhook-listener-get",
  text: `select ${columns} from webhook_listener where project_id = $1 and chain_id = $2 and id = $3`,
};

export async function getListener(
  queries: Queries,
  { projectId, chainId }: ListenerScope,
  id: number,
): Promise<Listener | undefined> {
  const [row] = await queries.query<ListenerRow>(getSql, [projectId, chainId, id]);
  return row && listenerOf(row);
}

const listSql = {
  name: "webhook-listener-list",
  text: `select ${columns} from webhook_listener where project_id = $1 and chain_id = $2 order by id`,
};

export async function listListeners(
  queries: Queries,
  { projectId, chainId }: ListenerScope,
): Promise<readonly Listener[]> {
  return (await queries.query<ListenerRow>(listSql, [projectId, chainId])).map(listenerOf);
}

/** The listener's waiting notifications are no longer sent. */
export async function removeListener(
  tx: Queries,
  { projectId, chainId }: ListenerScope,
  id: number,
): Promise<boolean> {
  const removed = await tx.query(
    "delete from webhook_listener where project_id = $1 and chain_id = $2 and id = $3 returning 1",
    [projectId, chainId, id],
  );
  if (removed.length > 0) await deletePastReads(tx, [id]);
  return removed.length > 0;
}

export async function removeAllListeners(tx: Queries, { projectId, chainId }: ListenerScope): Promise<void> {
  const removed = await tx.query<{ id: string }>(
    "delete from webhook_listener where project_id = $1 and chain_id = $2 returning id",
    [projectId, chainId],
  );
  await deletePastReads(
    tx,
    removed.map(({ id }) => id),
  );
}

const rotateSql = {
  name: "webhook-listener-rotate",
  text: `update webhook_listener set previous_secret = secret, secret = $4,
           previous_secret_until = now() + interval '1 day', updated_at = now()
         where project_id = $1 and chain_id = $2 and id = $3 returning 1`,
};

/** For one day deliveries are signed with both secrets, so that the receiver can switch over without losing a delivery. */
export async function replaceSecret(
  queries: Queries,
  { projectId, chainId }: ListenerScope,
  id: number,
  sealed: Buffer,
): Promise<boolean> {
  return (await queries.query(rotateSql, [projectId, chainId, id, sealed])).length > 0;
}

/** Stops or continues the notifications of all listeners of a project, whose pauses stay. Call this after locking the project's row. */
export async function setDisabled(tx: Queries, projectId: number, isDisabled: boolean): Promise<void> {
  await tx.query("update webhook_listener set is_disabled = $2 where project_id = $1 and is_disabled <> $2", [
    projectId,
    isDisabled,
  ]);
}

/** Pauses a listener as its owner would, or resumes it, whatever the reason of its pause. Returns false if it does not exist. */
export async function setPaused(queries: Queries, listenerId: number, isPaused: boolean): Promise<boolean> {
  const changed = await queries.query(
    "update webhook_listener set pause_reason = $2, updated_at = now() where id = $1 returning 1",
    [listenerId, isPaused ? "owner" : null],
  );
  if (!isPaused) await queries.query("delete from webhook_health where listener_id = $1", [listenerId]);
  return changed.length > 0;
}
