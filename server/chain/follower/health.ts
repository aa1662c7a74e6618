import { failureText } from "./failure-text.ts";

/** Shorter failures are not reported, in milliseconds: a node may not have a block yet that it has announced. */
const briefMs = 5_000;

/** How following a chain goes on this replica. */
export class Health {
  /** Whether this replica follows the chain. */
  leads = false;
  /** The newest block of the nodes. */
  head: number | undefined;
  #outcome: "succeeded" | { readonly sinceMs: number; readonly text: string } | undefined;

  /** Blocks were committed, or none is missing. */
  succeeded(): void {
    this.#outcome = "succeeded";
  }

  failed(cause: unknown): void {
    const sinceMs = typeof this.#outcome === "object" ? this.#outcome.sinceMs : performance.now();
    this.#outcome = { sinceMs, text: failureText(cause) };
  }

  /** Forgets the outcome of earlier attempts. */
  reset(): void {
    this.#outcome = undefined;
  }

  get isHealthy(): boolean {
    return this.#outcome === "succeeded";
  }

  get failure(): { readonly seconds: number; readonly text: string } | undefined {
    if (typeof this.#outcome !== "object") return undefined;
    const { sinceMs, text } = this.#outcome;
    const ms = performance.now() - sinceMs;
    return ms < briefMs ? undefined : { seconds: ms / 1_000, text };
  }
}
