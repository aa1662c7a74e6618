import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { repeatUntil } from "../../base/repeat.ts";
import type { Queries } from "../../base/storage/database.ts";
import { type ChannelListener, listen } from "../../base/storage/listen.ts";
import { workChannel } from "../notifications.ts";
import { isSealedWith } from "../sealed-secrets.ts";
import { DestinationSender, type DispatchDependencies } from "./destination-sender.ts";
import { dueDestinations } from "./queue.ts";
import { createResultWriter, type StoreResults } from "./results.ts";

interface DispatcherOptions extends DispatchDependencies {
  /** False behind a pooler in transaction mode, which cannot LISTEN. Work of other processes is then found by the scan. */
  readonly canListen: boolean;
}

/** NOTIFY channel of a database trigger that fires when a listener changes. The payload is the chain id. */
const changeChannel = "webhook_change";

/** Delay of a claim in milliseconds for each destination that the process has leased, so that less loaded processes win; and its maximum. */
const claimDelayMs = 1;
const claimDelayMaxMs = 20;

/**
 * Sends due notifications, together with all other processes on the database. Each destination is leased to one process. The
 * first attempt starts right after the commit that stored the notification. Those of a crashed process are claimed by
 * the first scan after its leases have expired.
 */
export class Dispatcher implements AsyncDisposable {
  readonly #options: DispatcherOptions;
  readonly #storeResults: StoreResults;
  readonly #owner = randomUUID();
  readonly #leases: ReturnType<typeof createLeases>;
  readonly #senders = new Map<string, DestinationSender>();
  readonly #stop = new AbortController();
  readonly #channels: readonly ChannelListener[];
  readonly #running: readonly Promise<void>[];

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#storeResults = createResultWriter(options.database, options.events.notificationsFailed);
    const { database, limits, canListen, secrets } = options;
    this.#leases = createLeases(database, {
      owner: this.#owner,
      leaseMs: limits.leaseMs,
      keyIds: secrets.keyIds,
    });
    const repeat = (ms: number, work: () => Promise<void>): Promise<void> =>
      repeatUntil(this.#stop.signal, ms, work, options.events.failed);
    this.#running = [
      repeat(limits.scanIntervalMs, () => this.#scan()),
      repeat(limits.leaseMs / 3, () => this.#renew()),
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

  /** Numbers of destinations that this process has leased, and of its calls in flight. */
  load(): { readonly destinations: number; readonly calls: number } {
    const senders = [...this.#senders.values()];
    return { destinations: senders.length, calls: senders.reduce((sum, { calls }) => sum + calls, 0) };
  }

  /** Call this after notifications for these destinations were committed. */
  wake(destinations: readonly string[]): void {
    const unclaimed = destinations.filter((destination) => {
      const sender = this.#senders.get(destination);
      sender?.wake();
      return sender === undefined;
    });
    if (unclaimed.length > 0) void this.#try(() => this.#claim(unclaimed));
  }

  async #claim(destinations: readonly string[]): Promise<void> {
    const delay = Math.min(this.#senders.size * claimDelayMs, claimDelayMaxMs);
    if (delay > 0) await sleep(delay);
    if (this.#stop.signal.aborted) return;
    const until = this.#leaseEnd();
    const claimed = await this.#leases.claim(
      destinations.filter((destination) => !this.#senders.has(destination)),
    );
    for (const destination of claimed) {
      if (this.#senders.has(destination)) continue;
      const sender = new DestinationSender(destination, until, {
        ...this.#options,
        storeResults: this.#storeResults,
      });
      this.#senders.set(destination, sender);
      sender.wake();
    }
    // If the dispatcher stopped during the claim, release the new leases.
    if (this.#stop.signal.aborted) await this.#release(claimed);
  }

  /** Computed before the query, so that the lease expires here no later than in the database. */
  #leaseEnd(): number {
    return performance.now() + this.#options.limits.leaseMs;
  }

  /** Finds retries that became due, and destinations that no process has claimed. */
  async #scan(): Promise<void> {
    const { database, secrets } = this.#options;
    this.wake(await dueDestinations(database, this.#owner, secrets.keyIds));
  }

  async #renew(): Promise<void> {
    const now = performance.now();
    const idle = [...this.#senders.values()].filter(
      (sender) => sender.idleMs(now) > this.#options.limits.maxIdleMs,
    );
    await this.#release(idle.map(({ destination }) => destination));
    const destinations = [...this.#senders.keys()];
    const until = this.#leaseEnd();
    const renewed = new Set(await this.#leases.renew(destinations));
    for (const destination of destinations) {
      const sender = this.#senders.get(destination);
      if (renewed.has(destination)) sender?.extendLease(until);
      else if (sender !== undefined) {
        // Another process claimed the destination because the renewal came too late.
        this.#senders.delete(destination);
        void sender.stop();
      }
    }
  }

  async #release(destinations: readonly string[]): Promise<void> {
    const senders = destinations.flatMap((destination) => this.#senders.get(destination) ?? []);
    await Promise.all(senders.map((sender) => sender.stop()));
    for (const destination of destinations) this.#senders.delete(destination);
    await this.#leases.release(destinations);
  }

  #refresh(): void {
    for (const sender of this.#senders.values()) sender.reload();
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

/** Leases on destinations. At most one process calls a destination at a time, so that limits and ordering hold across all replicas. */
interface Leases {
  /**
   * Returns the destinations that were claimed: those that were free or whose lease had expired, if this process has the signing
   * key of any listener there.
   */
  claim(destinations: readonly string[]): Promise<readonly string[]>;
  /** Returns the destinations whose lease this process still holds. */
  renew(destinations: readonly string[]): Promise<readonly string[]>;
  release(destinations: readonly string[]): Promise<void>;
}

/** Locks rows in the order of destinations, so that two processes that claim the same destinations cannot deadlock. */
const claimSql = {
  name: "webhook-destination-claim",
  text: `insert into webhook_destination (host, owner, lease_until)
         select host, $2, now() + make_interval(secs => $3) from unnest($1::text[]) as wanted (host)
         where exists (select from webhook_listener listener where listener.host = wanted.host and ${isSealedWith("$4::text[]")})
         order by host
         on conflict (host) do update set owner = excluded.owner, lease_until = excluded.lease_until
           where webhook_destination.lease_until < now() or webhook_destination.owner = excluded.owner
         returning host as destination`,
};

const renewSql = {
  name: "webhook-destination-renew",
  text: `update webhook_destination set lease_until = now() + make_interval(secs => $3)
         where host = any($1) and owner = $2 returning host as destination`,
};

const releaseSql = {
  name: "webhook-destination-release",
  text: "delete from webhook_destination where host = any($1) and owner = $2",
};

interface LeaseOptions {
  readonly owner: string;
  readonly leaseMs: number;
  /** Ids of the signing keys of this process. */
  readonly keyIds: readonly string[];
}

export function createLeases(queries: Queries, { owner, leaseMs, keyIds }: LeaseOptions): Leases {
  async function destinationsOf(
    sql: typeof claimSql,
    destinations: readonly string[],
    ...values: readonly unknown[]
  ): Promise<readonly string[]> {
    if (destinations.length === 0) return [];
    const all = [destinations, owner, leaseMs / 1_000, ...values];
    const rows = await queries.query<{ destination: string }>(sql, all);
    return rows.map(({ destination }) => destination);
  }
  return {
    claim: (destinations) => destinationsOf(claimSql, destinations, keyIds),
    renew: (destinations) => destinationsOf(renewSql, destinations),
    async release(destinations) {
      if (destinations.length > 0) await queries.query(releaseSql, [destinations, owner]);
    },
  };
}
