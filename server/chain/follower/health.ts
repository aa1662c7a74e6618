/** How following a chain goes, and the table through which operators and all replicas know. */
import { repeatUntil } from "../../base/repeat.ts";
import type { Queries } from "../../base/storage/database.ts";
import { DatabaseFault, databaseProblemOf, sqlStateOf } from "../../base/storage/fault.ts";
import { hideUrlSecrets } from "../../base/url-secrets.ts";
import { NodeFault, NodeRpcError } from "../rpc/nodes/faults.ts";
import { BlockNotFound, InvalidResponse, TooManyLogs } from "./source.ts";

/** After this time without a report, in seconds, no host follows a chain: longer than another replica needs to take over. */
const silentSeconds = 30;

/** Shorter failures are not reported, in milliseconds: a node may not have a block yet that it has announced. */
const briefMs = 5_000;

/** How following a chain goes on this replica. */
export class Health {
  /** Whether this replica follows the chain. */
  follows = false;
  /** The newest block of the nodes. */
  head: number | undefined;
  #outcome: "succeeded" | { readonly sinceMs: number; readonly text: string } | undefined;

  /** Blocks were committed, or none is missing. */
  succeeded(): void {
    this.#outcome = "succeeded";
  }

  failed(cause: unknown): void {
    const sinceMs = typeof this.#outcome === "object" ? this.#outcome.sinceMs : performance.now();
    this.#outcome = { sinceMs, text: failureText(cause) };
  }

  /** Forgets the outcome of earlier attempts. */
  reset(): void {
    this.#outcome = undefined;
  }

  get isHealthy(): boolean {
    return this.#outcome === "succeeded";
  }

  get failure(): { readonly seconds: number; readonly text: string } | undefined {
    if (typeof this.#outcome !== "object") return undefined;
    const { sinceMs, text } = this.#outcome;
    const ms = performance.now() - sinceMs;
    return ms < briefMs ? undefined : { seconds: ms / 1_000, text };
  }
}

/** In characters. */
const maxLength = 300;

const nodeErrors = [NodeFault, NodeRpcError, BlockNotFound, InvalidResponse, TooManyLogs];

/** Describes in one line why following a chain failed: which part, and its message without secrets. */
export function failureText(err: unknown): string {
  const part = partOf(err);
  const reported = err instanceof Error ? err.message : `thrown: ${typeof err}`;
  const message = databaseProblemOf(err)?.text ?? reported;
  // Errors of nodes hide the secrets of their URLs themselves.
  const safe = part === "nodes" ? message : hideUrlSecrets(message);
  const line = `${part}: ${safe}`.replace(/[\s\p{Cc}]+/gu, " ");
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line;
}

function partOf(err: unknown): string {
  if (nodeErrors.some((type) => err instanceof type)) return "nodes";
  if (err instanceof DatabaseFault || sqlStateOf(err) !== undefined) return "database";
  return err instanceof Error ? `internal error, ${err.name}` : "internal error";
}

/* Reports in the database how following a chain goes, so that operators and all replicas know. */

/** Interval between reports, in milliseconds. */
const reportMs = 5_000;

/** What was reported before all hosts went silent is outdated. */
const startSql = `
insert into follower_health as health (chain_id) values ($1)
on conflict (chain_id) do update set reported_at = now(), failing_since = null, failure = null
where health.reported_at < now() - make_interval(secs => ${silentSeconds})`;

/** A replica that cannot follow the chain itself must not contradict the one that does. */
const reportSql = `
update follower_health
set reported_at = now(), head = coalesce($3, head),
  failing_since = case when $4 then null else least(failing_since, now() - make_interval(secs => $5)) end,
  failure = case when $4 then null else coalesce($6, failure) end
where chain_id = $1
  and ($2 or failing_since is not null or reported_at < now() - make_interval(secs => ${silentSeconds}))`;

/** Reports until the signal aborts. Readiness reports failures of the database. */
export async function reportHealth(
  queries: Queries,
  chainId: number,
  health: Health,
  signal: AbortSignal,
): Promise<void> {
  let isStarted = false;
  // After a failure, the next report makes up for it.
  await repeatUntil(signal, reportMs, async () => {
    if (!isStarted) await queries.query(startSql, [chainId]);
    isStarted = true;
    await report(queries, chainId, health);
  });
}

async function report(queries: Queries, chainId: number, health: Health): Promise<void> {
  const { follows, head, isHealthy, failure } = health;
  if (!follows && failure === undefined) return;
  await queries.query(reportSql, [
    chainId,
    follows,
    head ?? null,
    isHealthy,
    failure?.seconds ?? null,
    failure?.text ?? null,
  ]);
}

/* How following the chains goes, as their hosts reported. */

/** Longest failure with which calls are still served, in seconds. Shorter ones often end by themselves. */
const maxFailureSeconds = 300;

const isSilent = `reported_at < now() - make_interval(secs => ${silentSeconds})`;

/** Columns for a query of `follower_health`. */
export interface HealthColumns {
  /** Whether no host follows the chain. */
  readonly is_silent: boolean;
  readonly failing_since: Date | null;
  readonly failing_seconds: number | null;
  readonly failure: string | null;
}

const failingSince = `case when ${isSilent} then reported_at else failing_since end`;

export const healthColumns: string = `coalesce(${isSilent}, true) as is_silent,
  ${failingSince} as failing_since,
  extract(epoch from now() - ${failingSince})::float8 as failing_seconds,
  case when coalesce(${isSilent}, true) then 'no running host follows the chain' else failure end as failure`;

export interface OutdatedChain {
  readonly chainId: number;
  /** The last block whose records are committed; null if there is none. */
  readonly block: number | null;
  /** Why the follower waits for the operator; null if it does not. */
  readonly stopped: string | null;
  readonly failingSince: Date | null;
  readonly failure: string | null;
}

const outdatedSql = {
  name: "outdated-chains",
  text: `
    select chain_id::float8 as "chainId", block_number::float8 as block, stopped, failing_since as "failingSince", failure
    from (
      select chain_id, block_number, stopped, ${healthColumns}
      from follower_cursor full join follower_health using (chain_id) where chain_id = any($1)
    ) as chain
    where stopped is not null or failing_seconds > ${maxFailureSeconds}
    order by chain_id`,
};

/**
 * Returns the chains among these whose follower waits for the operator, or has failed for five minutes, on whichever replica. A lag
 * alone is not a problem: catching up may take days.
 */
export function readOutdatedChains(
  queries: Queries,
  chainIds: readonly number[],
): Promise<readonly OutdatedChain[]> {
  return queries.query<OutdatedChain>(outdatedSql, [chainIds]);
}
