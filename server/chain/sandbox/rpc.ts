import { pause } from "../../base/repeat.ts";

/** Sends a request to the local chain, also one that public chains do not accept, such as `evm_mine`. Throws an Error. */
export async function request<Result>(
  rpcUrl: string,
  method: string,
  params: readonly unknown[],
  signal?: AbortSignal,
): Promise<Result> {
  const response = await fetch(rpcUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    ...(signal === undefined ? {} : { signal }),
  });
  const { result, error } = (await response.json()) as Reply<Result>;
  if (error !== undefined) throw new Error(`the local chain rejected ${method}: ${error.message}`);
  return result;
}

interface Reply<Result> {
  readonly result: Result;
  readonly error?: { readonly message: string };
}

interface HeadBlock {
  readonly number: number;
  readonly hash: string;
}

export async function readHead(rpcUrl: string, signal?: AbortSignal): Promise<HeadBlock> {
  const { number, hash } = await request<{ readonly number: string; readonly hash: string }>(
    rpcUrl,
    "eth_getBlockByNumber",
    ["latest", false],
    signal,
  );
  return { number: Number(number), hash };
}

interface LostBlocks {
  readonly from: number;
  readonly to: number;
}

/**
 * After a host was killed, the saved state may lack the last blocks that its follower has read. The follower would take the chain for
 * one that is only behind, so this mines a block in place of the first lost one, which makes the follower undo the lost blocks. Returns
 * undefined if the chain has at least as many blocks as the follower has read.
 */
export async function replaceLostBlocks(rpcUrl: string, lastRead: number): Promise<LostBlocks | undefined> {
  const { number } = await readHead(rpcUrl);
  if (number >= lastRead) return undefined;
  await request(rpcUrl, "evm_mine", []);
  return { from: number + 1, to: lastRead };
}

/** Interval of the checks, and timeout of each, in milliseconds. A transaction is mined within half a second. */
const defaultCheckMs = 5_000;

/** Notices that a local chain does not respond, or that its transactions wait and no block is mined. Reports it once until it is over. */
export class MiningWatch implements AsyncDisposable {
  readonly #rpcUrl: string;
  readonly #warn: (line: string) => void;
  readonly #checkMs: number;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #waitingSince: string | undefined;
  #problem: string | undefined;

  constructor(rpcUrl: string, warn: (line: string) => void, checkMs: number = defaultCheckMs) {
    this.#rpcUrl = rpcUrl;
    this.#warn = warn;
    this.#checkMs = checkMs;
    this.#running = this.#run();
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    for (;;) {
      await pause(this.#checkMs, signal);
      if (signal.aborted) return;
      const problem = await this.#check(AbortSignal.any([signal, AbortSignal.timeout(this.#checkMs)]));
      if (signal.aborted) return;
      if (problem !== undefined && this.#problem === undefined)
        this.#warn(`the local chain ${problem}; stop and start the sandbox`);
      this.#problem = problem;
    }
  }

  async #check(signal: AbortSignal): Promise<string | undefined> {
    try {
      const { pending } = await request<{ readonly pending: string }>(
        this.#rpcUrl,
        "txpool_status",
        [],
        signal,
      );
      const { hash } = await readHead(this.#rpcUrl, signal);
      const isStuck = Number(pending) > 0 && this.#waitingSince === hash;
      this.#waitingSince = Number(pending) > 0 ? hash : undefined;
      return isStuck ? `mines no blocks, although ${Number(pending)} transactions wait` : undefined;
    } catch {
      return "does not respond";
    }
  }
}
