/** Checks one part of the host. Returns undefined if the part is ready, else the problem, for the operator. May throw. */
export type Check = (signal: AbortSignal) => Promise<string | undefined>;

export interface Report {
  readonly ready: boolean;
  /** By the name of the part: `"ok"`, or the problem. */
  readonly checks: Readonly<Record<string, string>>;
}

/** Longest time for a check, in milliseconds; a slower part is not ready. Load balancers poll every few seconds. */
const checkMaxMs = 2_000;

/** Decides whether calls should be sent to this host: it has started, it is not stopping, and every part is ready. */
export class Readiness {
  readonly #checks = new Map<string, Check>();
  #host = "starting";

  register(part: string, check: Check): void {
    this.#checks.set(part, check);
  }

  started(): void {
    this.#host = "ok";
  }

  stopping(): void {
    this.#host = "stopping";
  }

  async report(): Promise<Report> {
    const results = [...this.#checks].map(async ([part, check]) => [part, await run(check)] as const);
    const checks = Object.fromEntries([["host", this.#host], ...(await Promise.all(results))]);
    return { ready: Object.values(checks).every((result) => result === "ok"), checks };
  }
}

async function run(check: Check): Promise<string> {
  const signal = AbortSignal.timeout(checkMaxMs);
  const timedOut = new Promise<string>((resolve) => {
    signal.addEventListener("abort", () => resolve(`no response within ${checkMaxMs} ms`), { once: true });
  });
  try {
    return await Promise.race([check(signal).then((fault) => fault ?? "ok"), timedOut]);
  } catch (err) {
    const { code } = err as NodeJS.ErrnoException;
    return `failed: ${code ?? (err instanceof Error ? err.constructor.name : typeof err)}`;
  }
}
