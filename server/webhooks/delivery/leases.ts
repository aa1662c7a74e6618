import type { Queries } from "../../base/storage/database.ts";

/** Which hosts this process calls. Each is called by one process at a time, so that limits and order hold over all replicas. */
export interface Leases {
  /** Those of the hosts that are ours from now on: nobody had them, or whoever had them has not said for too long that it lives. */
  claim(hosts: readonly string[]): Promise<readonly string[]>;
  /** Those that are still ours. */
  renew(hosts: readonly string[]): Promise<readonly string[]>;
  release(hosts: readonly string[]): Promise<void>;
}

/** In the order of names, so that two who claim the same hosts never wait for each other. */
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
