import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Queries } from "../../base/storage/database.ts";
import { type ChannelListener, listen } from "../../base/storage/listen.ts";
import { workChannel } from "../notifications.ts";
import { type DispatchDependencies, HostSender } from "./host-sender.ts";
import { dueHosts } from "./queue.ts";
import { createResultWriter, type StoreResults } from "./results.ts";

interface DispatcherOptions extends DispatchDependencies {
  /** False behind a pooler in transaction mode, which cannot LISTEN. Work of other processes is then found by the scan. */
  readonly canListen: boolean;
}

/** NOTIFY channel of a database trigger that fires when a listener changes. The payload is the chain id. */
const changeChannel = "webhook_change";

/** Delay of a claim in milliseconds for each receiving host that the process has leased, so that less loaded processes win; and its maximum. */
const claimDelayMs = 1;
const claimDelayMaxMs = 20;

/**
 * Sends due notifications, together with all other processes on the database. Each receiving host is leased to one process. The
 * first attempt starts right after the commit that stored the notification. Those of a crashed process are claimed by
 * the first scan after its leases have expired.
 */
export class Dispatcher implements AsyncDisposable {
  readonly #options: DispatcherOptions;
  readonly #storeResults: StoreResults;
  readonly #owner = randomUUID();
  readonly #leases: ReturnType<typeof createLeases>;
  readonly #senders = new Map<string, HostSender>();
  readonly #stop = new AbortController();
  readonly #channels: readonly ChannelListener[];
  readonly #running: readonly Promise<void>[];

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#storeResults = createResultWriter(options.database);
    const { database, limits, canListen } = options;
    this.#leases = createLeases(database, this.#owner, limits.leaseMs);
    this.#running = [
      this.#repeat(limits.scanIntervalMs, () => this.#scan()),
      this.#repeat(limits.leaseMs / 3, () => this.#renew()),
    ];
    const subscribe = (channel: string, onMessage: (payload: string) => void): ChannelListener =>
      listen({ connection: database.connection, channel, onMessage, onGap: () => {} });
    this.#channels = canListen
      ? [
          subscribe(workChannel, (payload) =>
            payload === "" ? void this.#try(() => this.#scan()) : this.wake(JSON.parse(payload)),
          ),
          subscribe(changeChannel, () => this.#refresh()),
        ]
      : [];
  }

  /** Numbers of receiving hosts that this process has leased, and of its calls in flight. */
  load(): { readonly hosts: number; readonly calls: number } {
    const senders = [...this.#senders.values()];
    return { hosts: senders.length, calls: senders.reduce((sum, { calls }) => sum + calls, 0) };
  }

  /** Call this after notifications for these hosts were committed. */
  wake(hosts: readonly string[]): void {
    const unclaimed = hosts.filter((host) => {
      const sender = this.#senders.get(host);
      sender?.wake();
      return sender === undefined;
    });
    if (unclaimed.length > 0) void this.#try(() => this.#claim(unclaimed));
  }

  async #claim(hosts: readonly string[]): Promise<void> {
    const delay = Math.min(this.#senders.size * claimDelayMs, claimDelayMaxMs);
    if (delay > 0) await sleep(delay);
    if (this.#stop.signal.aborted) return;
    const until = this.#leaseEnd();
    const claimed = await this.#leases.claim(hosts.filter((host) => !this.#senders.has(host)));
    for (const host of claimed) {
      if (this.#senders.has(host)) continue;
      const sender = new HostSender(host, until, {
        ...this.#options,
        storeResults: this.#storeResults,
      });
      this.#senders.set(host, sender);
      sender.wake();
    }
    // If the dispatcher stopped during the claim, release the new leases.
    if (this.#stop.signal.aborted) await this.#release(claimed);
  }

  /** Computed before the query, so that the lease expires here no later than in the database. */
  #leaseEnd(): number {
    return performance.now() + this.#options.limits.leaseMs;
  }

  /** Finds retries that became due, and hosts that no process has claimed. */
  async #scan(): Promise<void> {
    this.wake(await dueHosts(this.#options.database, this.#owner));
  }

  async #renew(): Promise<void> {
    const now = performance.now();
    const idle = [...this.#senders.values()].filter(
      (sender) => sender.idleMs(now) > this.#options.limits.maxIdleMs,
    );
    await this.#release(idle.map(({ host }) => host));
    const hosts = [...this.#senders.keys()];
    const until = this.#leaseEnd();
    const renewed = new Set(await this.#leases.renew(hosts));
    for (const host of hosts) {
      const sender = this.#senders.get(host);
      if (renewed.has(host)) sender?.extendLease(until);
      else if (sender !== undefined) {
        // Another process claimed the host because the renewal came too late.
        this.#senders.delete(host);
        void sender.stop();
      }
    }
  }

  async #release(hosts: readonly string[]): Promise<void> {
    const senders = hosts.flatMap((host) => this.#senders.get(host) ?? []);
    await Promise.all(senders.map((sender) => sender.stop()));
    for (const host of hosts) this.#senders.delete(host);
    await this.#leases.release(hosts);
  }

  #refresh(): void {
    for (const sender of this.#senders.values()) sender.reload();
  }

  async #repeat(ms: number, work: () => Promise<void>): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.#try(work);
      await sleep(ms, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (err) {
      this.#options.events.failed(err);
    }
  }

  /** Finishes the calls in flight, stores their results, and releases the leases so that other processes take over immediately. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#channels.map((each) => each[Symbol.asyncDispose]()));
    await Promise.all(this.#running);
    await this.#try(() => this.#release([...this.#senders.keys()]));
  }
}

/** Leases on hosts. At most one process calls a host at a time, so that limits and ordering hold across all replicas. */
interface Leases {
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
