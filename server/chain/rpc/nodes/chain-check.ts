import { NodeFault, RpcError, WrongChain } from "./faults.ts";

/** How long a node is believed to be of its chain without saying so again, in milliseconds. */
const believedMs = 10_000;

export interface ChainCheckOptions {
  readonly chainId: number;
  /** The node's answer to `eth_chainId`. */
  readonly fetchChainId: () => Promise<unknown>;
  /** Hears when the node turns out to be of another chain (the reason), and when it is of its own again (undefined). */
  readonly onChange?: (reason: string | undefined) => void;
}

/**
 * Whether a node is of its chain: asked along with its first question, with the first one after each failure (behind the same address
 * there may be another node then), and every ten seconds. Questions of the same moment share one check.
 */
export class ChainCheck {
  readonly #options: ChainCheckOptions;
  #believedUntil = 0;
  #asking: Promise<void> | undefined;
  #mismatch: string | undefined;
  #doubts = 0;

  constructor(options: ChainCheckOptions) {
    this.#options = options;
  }

  /** Why the node counts as absent: it said that it is of another chain, and has not said otherwise since. */
  get mismatch(): string | undefined {
    return this.#mismatch;
  }

  /** Whether the node has said, since it failed last, that it is of its chain. */
  get isVerified(): boolean {
    return this.#believedUntil > 0;
  }

  /** What the node answers, be it an error. Throws WrongChain, and what the node failed with. */
  async checked<Value>(ask: () => Promise<Value>): Promise<Value> {
    const [checked, answer] = await Promise.allSettled([this.ensureChain(), ask()]);
    if (checked.status === "rejected") throw checked.reason;
    // Another question may have failed in the meantime.
    await this.ensureChain();
    if (answer.status === "rejected") throw answer.reason;
    return answer.value;
  }

  /** Throws WrongChain, and what the node failed with. */
  ensureChain(): Promise<void> {
    if (performance.now() < this.#believedUntil) return Promise.resolve();
    this.#asking ??= this.#ask();
    return this.#asking;
  }

  /** The node failed: its next answer counts only after it has said again which chain it is of. */
  invalidate(): void {
    this.#doubts++;
    this.#believedUntil = 0;
    this.#asking = undefined;
  }

  async #ask(): Promise<void> {
    const doubts = this.#doubts;
    try {
      const mismatch = await this.#askChain();
      if (mismatch !== this.#mismatch) this.#options.onChange?.(mismatch);
      this.#mismatch = mismatch;
      if (mismatch !== undefined) throw new WrongChain(mismatch);
      // Asked before a failure, it says nothing of the node that is there now.
      if (this.#doubts === doubts) this.#believedUntil = performance.now() + believedMs;
    } finally {
      if (this.#doubts === doubts) this.#asking = undefined;
    }
  }

  /** What is wrong with the chain, if anything. */
  async #askChain(): Promise<string | undefined> {
    const { chainId, fetchChainId } = this.#options;
    const answer = await fetchChainId().catch((err: unknown) => {
      // An error in place of the chain's id is no answer to the question that is asked along with it.
      throw err instanceof RpcError ? new NodeFault(err.message) : err;
    });
    if (typeof answer !== "string" || !/^0x[0-9a-f]{1,13}$/i.test(answer))
      throw new NodeFault("it does not say which chain it is of");
    const found = Number(answer);
    return found === chainId ? undefined : `it is a node of chain ${found}, not of ${chainId}`;
  }
}
