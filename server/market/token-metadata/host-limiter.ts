/** Limits concurrent calls per metadata server, and pauses servers that do not respond. */

const maxCallsPerHost = 8;
/** Consecutive failures after which a host is paused, and the duration of the pause in milliseconds. */
const maxFailures = 8;
const pauseMs = 60_000;
const maxHosts = 10_000;

interface Host {
  calls: number;
  failures: number;
  pausedUntil: number;
  readonly waiting: (() => void)[];
}

export class HostLimiter {
  readonly #hosts = new Map<string, Host>();

  /** Waits for a slot. Returns false if the host is paused; otherwise the caller must call `release`. */
  async acquire(name: string): Promise<boolean> {
    const host = this.#of(name);
    if (host.pausedUntil > performance.now()) return false;
    if (host.calls >= maxCallsPerHost) await new Promise<void>((done) => host.waiting.push(done));
    else host.calls++;
    if (host.pausedUntil <= performance.now()) return true;
    this.#handOver(name, host);
    return false;
  }

  /** `isSilent`: the host did not respond in time. */
  release(name: string, { isSilent }: { readonly isSilent: boolean }): void {
    const host = this.#of(name);
    host.failures = isSilent ? host.failures + 1 : 0;
    if (host.failures >= maxFailures) {
      host.pausedUntil = performance.now() + pauseMs;
      host.failures = 0;
    }
    this.#handOver(name, host);
  }

  #handOver(name: string, host: Host): void {
    const next = host.waiting.shift();
    if (next === undefined) host.calls--;
    else next();
    const isIdle = host.calls === 0 && host.failures === 0 && host.pausedUntil <= performance.now();
    if (isIdle) this.#hosts.delete(name);
  }

  #of(name: string): Host {
    let host = this.#hosts.get(name);
    if (host === undefined) {
      for (const [other, { calls }] of this.#hosts) {
        if (this.#hosts.size < maxHosts) break;
        if (calls === 0) this.#hosts.delete(other);
      }
      host = { calls: 0, failures: 0, pausedUntil: 0, waiting: [] };
      this.#hosts.set(name, host);
    }
    return host;
  }
}
