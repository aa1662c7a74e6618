/** Limits concurrent calls per metadata server, and pauses servers that do not respond. */
import { Semaphore } from "../../base/semaphore.ts";

const maxCallsPerHost = 8;
/** Consecutive failures after which a host is paused, and the duration of the pause in milliseconds. */
const maxFailures = 8;
const pauseMs = 60_000;
const maxHosts = 10_000;

interface Host {
  readonly slots: Semaphore;
  failures: number;
  pausedUntil: number;
}

export class HostLimiter {
  readonly #hosts = new Map<string, Host>();

  /** Waits for a slot. Returns false if the host is paused; otherwise the caller must call `release`. */
  async acquire(name: string): Promise<boolean> {
    const host = this.#of(name);
    if (host.pausedUntil > performance.now()) return false;
    await host.slots.acquire();
    if (host.pausedUntil <= performance.now()) return true;
    this.#releaseSlot(name, host);
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
    this.#releaseSlot(name, host);
  }

  #releaseSlot(name: string, host: Host): void {
    host.slots.release();
    const isIdle = host.slots.taken === 0 && host.failures === 0 && host.pausedUntil <= performance.now();
    if (isIdle) this.#hosts.delete(name);
  }

  #of(name: string): Host {
    let host = this.#hosts.get(name);
    if (host === undefined) {
      for (const [other, { slots }] of this.#hosts) {
        if (this.#hosts.size < maxHosts) break;
        if (slots.taken === 0) this.#hosts.delete(other);
      }
      host = { slots: new Semaphore(maxCallsPerHost), failures: 0, pausedUntil: 0 };
      this.#hosts.set(name, host);
    }
    return host;
  }
}
