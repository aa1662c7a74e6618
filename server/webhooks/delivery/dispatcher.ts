import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type ChannelListener, listen } from "../../base/storage/listen.ts";
import { Destination, type DestinationPorts } from "./destination.ts";
import { createLeases } from "./leases.ts";
import { dueHosts } from "./queue.ts";

export interface DispatcherOptions extends DestinationPorts {
  /** False behind a pooler in transaction mode: then other processes' work is found by looking. */
  readonly canListen: boolean;
}

/** Told to all processes when notifications are committed: the hosts as JSON, or nothing if they are too many for a message. */
export const workChannel = "webhook_work";

/** Told by the database when a listener changes: the chain id. */
const changeChannel = "webhook_change";

/** How much longer a process waits before it takes a further host, for each that it has, so that others with fewer come first. Milliseconds. */
const claimDelayMs = 1;
const claimDelayMaxMs = 20;

/**
 * Sends what is due, together with all other processes on the database: each host belongs to one of them. The first attempt leaves
 * right after the commit that stored it; what a dead process left is found within a lease and a look.
 */
export class Dispatcher implements AsyncDisposable {
  readonly #options: DispatcherOptions;
  readonly #owner = randomUUID();
  readonly #leases: ReturnType<typeof createLeases>;
  readonly #destinations = new Map<string, Destination>();
  readonly #stop = new AbortController();
  readonly #ears: readonly ChannelListener[];
  readonly #running: readonly Promise<void>[];

  constructor(options: DispatcherOptions) {
    this.#options = options;
    const { database, limits, canListen } = options;
    this.#leases = createLeases(database, this.#owner, limits.leaseMs);
    this.#running = [
      this.#every(limits.scanEveryMs, () => this.#scan()),
      this.#every(limits.leaseMs / 3, () => this.#renew()),
    ];
    const ear = (channel: string, onMessage: (payload: string) => void): ChannelListener =>
      listen({ connection: database.connection, channel, onMessage, onGap: () => {} });
    this.#ears = canListen
      ? [
          ear(workChannel, (payload) =>
            payload === "" ? void this.#try(() => this.#scan()) : this.wake(JSON.parse(payload)),
          ),
          ear(changeChannel, () => this.#refresh()),
        ]
      : [];
  }

  /** How many hosts this process calls, and how many calls are under way. */
  load(): { readonly hosts: number; readonly calls: number } {
    const destinations = [...this.#destinations.values()];
    return { hosts: destinations.length, calls: destinations.reduce((sum, { calls }) => sum + calls, 0) };
  }

  /** Something was committed for these hosts. */
  wake(hosts: readonly string[]): void {
    const others = hosts.filter((host) => {
      const destination = this.#destinations.get(host);
      destination?.wake();
      return destination === undefined;
    });
    if (others.length > 0) void this.#try(() => this.#claim(others));
  }

  async #claim(hosts: readonly string[]): Promise<void> {
    const delay = Math.min(this.#destinations.size * claimDelayMs, claimDelayMaxMs);
    if (delay > 0) await sleep(delay);
    if (this.#stop.signal.aborted) return;
    const until = this.#leaseEnd();
    const claimed = await this.#leases.claim(hosts.filter((host) => !this.#destinations.has(host)));
    for (const host of claimed) {
      if (this.#destinations.has(host)) continue;
      const destination = new Destination(host, until, this.#options);
      this.#destinations.set(host, destination);
      destination.wake();
    }
    // Whoever stops lets go of what was claimed meanwhile.
    if (this.#stop.signal.aborted) await this.#letGo(claimed);
  }

  /** Counted from before the question, so that it ends here no later than there. */
  #leaseEnd(): number {
    return performance.now() + this.#options.limits.leaseMs;
  }

  /** What became due by itself, and what nobody has taken. */
  async #scan(): Promise<void> {
    this.wake(await dueHosts(this.#options.database, this.#owner));
  }

  async #renew(): Promise<void> {
    const now = performance.now();
    const idle = [...this.#destinations.values()].filter(
      (destination) => destination.idleMs(now) > this.#options.limits.idleMaxMs,
    );
    await this.#letGo(idle.map(({ host }) => host));
    const hosts = [...this.#destinations.keys()];
    const until = this.#leaseEnd();
    const ours = new Set(await this.#leases.renew(hosts));
    for (const host of hosts) {
      const destination = this.#destinations.get(host);
      if (ours.has(host)) destination?.leased(until);
      else if (destination !== undefined) {
        // Somebody else calls it since we were silent for too long.
        this.#destinations.delete(host);
        void destination.stop();
      }
    }
  }

  async #letGo(hosts: readonly string[]): Promise<void> {
    const destinations = hosts.flatMap((host) => this.#destinations.get(host) ?? []);
    await Promise.all(destinations.map((destination) => destination.stop()));
    for (const host of hosts) this.#destinations.delete(host);
    await this.#leases.release(hosts);
  }

  #refresh(): void {
    for (const destination of this.#destinations.values()) destination.refresh();
  }

  async #every(ms: number, work: () => Promise<void>): Promise<void> {
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

  /** Calls under way are finished and written down; others take over at once. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#ears.map((each) => each[Symbol.asyncDispose]()));
    await Promise.all(this.#running);
    await this.#try(() => this.#letGo([...this.#destinations.keys()]));
  }
}
