import type { EventChain } from "../../../../support/event-chain.ts";
import type { RpcCall } from "../../../../support/faulty-node.ts";

/** Returns the calls to a node that ask for blocks below the window, or for their logs. */
export async function oldBlockCalls(
  chain: EventChain,
  window: number,
  calls: readonly RpcCall[],
): Promise<readonly string[]> {
  const head = await chain.head();
  const recent = new Set<unknown>(["latest", "safe", "finalized"]);
  for (let number = head - window + 1; number <= head; number++) {
    const hex = `0x${number.toString(16)}`;
    const { hash } = (await chain.request("eth_getBlockByNumber", hex, false)) as { readonly hash: string };
    recent.add(hex).add(hash);
  }
  const isOld = ({ method, params: [first] }: RpcCall): boolean => {
    if (method === "eth_chainId" || method === "eth_call") return false;
    const { blockHash } = (first ?? {}) as { readonly blockHash?: string };
    return !recent.has(method === "eth_getLogs" ? blockHash : first);
  };
  return calls.filter(isOld).map(({ method, params }) => `${method} ${JSON.stringify(params)}`);
}
