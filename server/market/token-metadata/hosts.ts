/** Servers of metadata: how many calls one gets at once, and when it is left alone for a while. */

/** Calls to one host at once. */
const callsMax = 8;
/** Failures one after the other after which a host rests, and for how long, in milliseconds. */
const failuresMax = 8;
const restMs = 60_000;
/** Hosts that are remembered. */
const hostsMax = 10_000;

interface Host {
  calls: number;
  failures: number;
  restsUntil: number;
  readonly waiting: (() => void)[];
}

export class Hosts {
  readonly #hosts = new Map<string, Host>();

  /** False: the host rests, and nobody calls it now. Else the call must be ended by `release`. */
  async take(name: string): Promise<boolean> {
    const host = this.#of(name);
    if (host.restsUntil > performance.now()) return false;
    if (host.calls >= callsMax) await new Promise<void>((done) => host.waiting.push(done));
    else host.calls++;
    if (host.restsUntil <= performance.now()) return true;
    this.#handOn(name, host);
    return false;
  }

  /** `isSilent`: it gave no answer, or none in time. */
  release(name: string, { isSilent }: { readonly isSilent: boolean }): void {
    const host = this.#of(name);
    host.failures = isSilent ? host.failures + 1 : 0;
    if (host.failures >= failuresMax) {
      host.restsUntil = performance.now() + restMs;
      host.failures = 0;
    }
    this.#handOn(name, host);
  }

  #handOn(name: string, host: Host): void {
    const next = host.waiting.shift();
    if (next === undefined) host.calls--;
    else next();
    const isPlain = host.calls === 0 && host.failures === 0 && host.restsUntil <= performance.now();
    if (isPlain) this.#hosts.delete(name);
  }

  #of(name: string): Host {
    let host = this.#hosts.get(name);
    if (host === undefined) {
      for (const [other, { calls }] of this.#hosts) {
        if (this.#hosts.size < hostsMax) break;
        if (calls === 0) this.#hosts.delete(other);
      }
      host = { calls: 0, failures: 0, restsUntil: 0, waiting: [] };
      this.#hosts.set(name, host);
    }
    return host;
  }
}
