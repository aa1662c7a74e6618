import type { NodeClient } from "./client.ts";
import { isRefusal, RpcError } from "./faults.ts";
import type { MeteredNode } from "./metered-nodes.ts";
import type { Share } from "./node-budget.ts";

export interface MeteredClientOptions {
  readonly share: Share;
  /** Longest wait for the budget, in milliseconds. Undefined: no limit. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly caller: string | undefined;
}

/** Waits for the node's budget before each call, and reports to it whether the node refused the call. */
export function meteredClient(
  client: NodeClient,
  { take }: MeteredNode,
  { share, timeoutMs, signal, caller }: MeteredClientOptions,
): NodeClient {
  const metered = (call: NodeClient["callAlone"]): NodeClient["callAlone"] => {
    return async (method, params) => {
      const sent = await take(share, method, { maxWaitMs: timeoutMs, signal, caller });
      try {
        const result = await call(method, params);
        sent.accepted();
        return result;
      } catch (err) {
        if (isRefusal(err)) sent.refused(err.refusal, err.reason);
        else if (err instanceof RpcError) sent.accepted();
        throw err;
      }
    };
  };
  return { callAlone: metered(client.callAlone), callInBatch: metered(client.callInBatch) };
}
