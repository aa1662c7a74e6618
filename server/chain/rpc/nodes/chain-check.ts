import { ErrorResponse, RpcError, WrongChain } from "./faults.ts";

const validMs = 10_000;

export interface ChainCheckOptions {
  readonly chainId: number;
  readonly fetchChainId: () => Promise<unknown>;
  /** Called with a reason when the node turns out to be of another chain, and with undefined when it is of its own chain again. */
  readonly onChange?: (reason: string | undefined) => void;
}

/**
 * Checks that a node belongs to its chain: together with its first request, with the first request after each failure (a
 * different node may be behind the same URL by then), and every ten seconds. Concurrent requests share one check.
 */
export class ChainCheck {
  readonly #options: ChainCheckOptions;
  #validUntil = 0;
  #checking: Promise<void> | undefined;
  #mismatch: string | undefined;
  #invalidations = 0;

  constructor(options: ChainCheckOptions) {
    this.#options = options;
  }

  /** Why the node is not used: its last check found another chain. */
  get mismatch(): string | undefined {
    return this.#mismatch;
  }

  /** Whether a check has succeeded since the node's last failure. */
  get isVerified(): boolean {
    return this.#validUntil > 0;
  }

  /** Runs `send` together with a check, and returns its result or throws its error. Throws WrongChain if the check fails. */
  async checked<Value>(send: () => Promise<Value>): Promise<Value> {
    const [checked, reply] = await Promise.allSettled([this.ensureChain(), send()]);
    if (checked.status === "rejected") throw checked.reason;
    // Another request may have failed in the meantime and invalidated the check.
    await this.ensureChain();
    if (reply.status === "rejected") throw reply.reason;
    return reply.value;
  }

  /** Resolves if the check is valid or succeeds. Throws WrongChain, or the error of the check's request. */
  ensureChain(): Promise<void> {
    if (performance.now() < this.#validUntil) return Promise.resolve();
    this.#checking ??= this.#check();
    return this.#checking;
  }

  /** Call this when the node failed. Its next response counts only after another check. */
  invalidate(): void {
    this.#invalidations++;
    this.#validUntil = 0;
    this.#checking = undefined;
  }

  async #check(): Promise<void> {
    const invalidations = this.#invalidations;
    try {
      const mismatch = await this.#findMismatch();
      if (mismatch !== this.#mismatch) this.#options.onChange?.(mismatch);
      this.#mismatch = mismatch;
      if (mismatch !== undefined) throw new WrongChain(mismatch);
      // A check from before a failure may have reached a different node.
      if (this.#invalidations === invalidations) this.#validUntil = performance.now() + validMs;
    } finally {
      if (this.#invalidations === invalidations) this.#checking = undefined;
    }
  }

  async #findMismatch(): Promise<string | undefined> {
    const { chainId, fetchChainId } = this.#options;
    const reply = await fetchChainId().catch((err: unknown) => {
      // An RpcError here must not look like the response to the request that is sent together with the check.
      throw err instanceof RpcError ? new ErrorResponse(err.message, undefined, err.refusal) : err;
    });
    if (typeof reply !== "string" || !/^0x[0-9a-f]{1,13}$/i.test(reply))
      throw new ErrorResponse("it does not report its chain id");
    const found = Number(reply);
    return found === chainId ? undefined : `it is a node of chain ${found}, not of ${chainId}`;
  }
}
