import type { NodeCalls } from "./client.ts";
import { isRefusal, RpcError } from "./faults.ts";
import type { MeteredNode } from "./metered-nodes.ts";
import type { Share } from "./node-budget.ts";

export interface MeterOptions {
  readonly share: Share;
  /** Longest wait for the budget, in milliseconds. Undefined: no limit. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly caller?: string | undefined;
}

/** Sends one call, and returns its response. */
export type Meter = <Value>(method: string, send: () => Promise<Value>) => Promise<Value>;

/** Waits for the node's budget before each call, and reports to it whether the node refused the call. */
export function openMeter({ take }: MeteredNode, options: MeterOptions): Meter {
  const { share, timeoutMs, signal, caller } = options;
  return async (method, send) => {
    const sent = await take(share, method, { maxWaitMs: timeoutMs, signal, caller });
    try {
      const response = await send();
      sent.accepted();
      return response;
    } catch (err) {
      if (isRefusal(err)) sent.refused(err.refusal, err.reason);
      else if (err instanceof RpcError) sent.accepted();
      throw err;
    }
  };
}

export function meteredCalls({ callAlone, callInBatch }: NodeCalls, meter: Meter): NodeCalls {
  return {
    callAlone: (method, params) => meter(method, () => callAlone(method, params)),
    callInBatch: (method, params) => meter(method, () => callInBatch(method, params)),
  };
}
