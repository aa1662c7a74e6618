/** Whether one part of the host can do its work: nothing if so, else what is wrong, for the operator. May also throw. */
export type Check = (signal: AbortSignal) => Promise<string | undefined>;

export interface Report {
  readonly ready: boolean;
  /** By the name of the part; `"ok"`, or what is wrong. */
  readonly checks: Readonly<Record<string, string>>;
}

/** A part that takes longer to say so is not ready, in milliseconds. Balancers ask every few seconds. */
const checkMaxMs = 2_000;

/** Knows whether calls should be sent here: every part is asked, and the host itself has started and is not stopping. */
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
    const asked = [...this.#checks].map(async ([part, check]) => [part, await ask(check)] as const);
    const checks = Object.fromEntries([["host", this.#host], ...(await Promise.all(asked))]);
    return { ready: Object.values(checks).every((answer) => answer === "ok"), checks };
  }
}

async function ask(check: Check): Promise<string> {
  const signal = AbortSignal.timeout(checkMaxMs);
  const late = new Promise<string>((resolve) => {
    signal.addEventListener("abort", () => resolve(`no answer within ${checkMaxMs} ms`), { once: true });
  });
  try {
    return await Promise.race([check(signal).then((fault) => fault ?? "ok"), late]);
  } catch (err) {
    const { code } = err as NodeJS.ErrnoException;
    return `failed: ${code ?? (err instanceof Error ? err.constructor.name : typeof err)}`;
  }
}
