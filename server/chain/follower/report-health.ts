/** Reports in the database how following a chain goes, so that operators and all replicas know. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Queries } from "../../base/storage/database.ts";
import { silentSeconds } from "./chain-readiness.ts";
import type { Health } from "./health.ts";

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
  while (!signal.aborted) {
    try {
      if (!isStarted) await queries.query(startSql, [chainId]);
      isStarted = true;
      await report(queries, chainId, health);
    } catch {
      // The next report makes up for it.
    }
    await sleep(reportMs, undefined, { signal }).catch(() => {});
  }
}

async function report(queries: Queries, chainId: number, health: Health): Promise<void> {
  const { leads, head, isHealthy, failure } = health;
  if (!leads && failure === undefined) return;
  await queries.query(reportSql, [
    chainId,
    leads,
    head ?? null,
    isHealthy,
    failure?.seconds ?? null,
    failure?.text ?? null,
  ]);
}
