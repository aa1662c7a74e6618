import { ErrorResponse, RpcError, WrongChain } from "./faults.ts";
import type { Reply } from "./json-rpc.ts";

const validMs = 10_000;

export interface ChainCheckOptions {
  readonly chainId: number;
  /** Called with a reason when the node turns out to be of another chain, and with undefined when it is of its own chain again. */
  readonly onChange?: (reason: string | undefined) => void;
}

/**
 * Whether a node belongs to its chain: checked with its first request, with the first requests after each failure (a different node
 * may be behind the same URL by then), and every ten seconds.
 */
export class ChainCheck {
  readonly #options: ChainCheckOptions;
  #validUntil = 0;
  #mismatch: string | undefined;
  #invalidations = 0;

  constructor(options: ChainCheckOptions) {
    this.#options = options;
  }

  get isDue(): boolean {
    return performance.now() >= this.#validUntil;
  }

  /** Why the node is not used: its last check found another chain. */
  get mismatch(): string | undefined {
    return this.#mismatch;
  }

  /** Whether a check has succeeded since the node's last failure. */
  get isVerified(): boolean {
    return this.#validUntil > 0;
  }

  /** Failures of the node so far, in calls of `invalidate`. */
  get invalidations(): number {
    return this.#invalidations;
  }

  /** Call this when the node failed. Its next response counts only after another check. */
  invalidate(): void {
    this.#invalidations++;
    this.#validUntil = 0;
  }

  /**
   * Call this before sending `eth_chainId`. The returned function reads the response, and throws WrongChain, or the error that the
   * response is.
   */
  start(): (reply: Reply) => void {
    const invalidations = this.#invalidations;
    return (reply) => {
      const mismatch = this.#mismatchIn(reply);
      if (mismatch !== this.#mismatch) this.#options.onChange?.(mismatch);
      this.#mismatch = mismatch;
      if (mismatch !== undefined) throw new WrongChain(mismatch);
      // A check from before a failure may have reached a different node.
      if (this.#invalidations === invalidations) this.#validUntil = performance.now() + validMs;
    };
  }

  #mismatchIn(reply: Reply): string | undefined {
    // An RpcError here must not look like the response to a request that is sent together with the check.
    if (reply instanceof RpcError) throw new ErrorResponse(reply.message, undefined, reply.refusal);
    if (reply instanceof Error) throw reply;
    const { result } = reply;
    if (typeof result !== "string" || !/^0x[0-9a-f]{1,13}$/i.test(result))
      throw new ErrorResponse("it does not report its chain id");
    const { chainId } = this.#options;
    const found = Number(result);
    return found === chainId ? undefined : `it is a node of chain ${found}, not of ${chainId}`;
  }
}
