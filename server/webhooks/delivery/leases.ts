import type { Queries } from "../../base/storage/database.ts";

/** Leases on hosts. At most one process calls a host at a time, so that limits and ordering hold across all replicas. */
export interface Leases {
  /** Returns the hosts that were claimed: those that were free or whose lease had expired. */
  claim(hosts: readonly string[]): Promise<readonly string[]>;
  /** Returns the hosts whose lease this process still holds. */
  renew(hosts: readonly string[]): Promise<readonly string[]>;
  release(hosts: readonly string[]): Promise<void>;
}

/** Locks rows in the order of host names, so that two processes that claim the same hosts cannot deadlock. */
const claimSql = {
  name: "webhook-destination-claim",
  text: `insert into webhook_destination (host, owner, lease_until)
         select host, $2, now() + make_interval(secs => $3) from unnest($1::text[]) as wanted (host) order by host
         on conflict (host) do update set owner = excluded.owner, lease_until = excluded.lease_until
           where webhook_destination.lease_until < now() or webhook_destination.owner = excluded.owner
         returning host`,
};

const renewSql = {
  name: "webhook-destination-renew",
  text: `update webhook_destination set lease_until = now() + make_interval(secs => $3)
         where host = any($1) and owner = $2 returning host`,
};

const releaseSql = {
  name: "webhook-destination-release",
  text: "delete from webhook_destination where host = any($1) and owner = $2",
};

export function createLeases(queries: Queries, owner: string, leaseMs: number): Leases {
  async function hostsOf(sql: typeof claimSql, hosts: readonly string[]): Promise<readonly string[]> {
    if (hosts.length === 0) return [];
    const rows = await queries.query<{ host: string }>(sql, [hosts, owner, leaseMs / 1_000]);
    return rows.map(({ host }) => host);
  }
  return {
    claim: (hosts) => hostsOf(claimSql, hosts),
    renew: (hosts) => hostsOf(renewSql, hosts),
    async release(hosts) {
      if (hosts.length > 0) await queries.query(releaseSql, [hosts, owner]);
    },
  };
}
