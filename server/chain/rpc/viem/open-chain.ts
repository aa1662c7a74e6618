import { onAbort } from "ridlkit-runtime/time";
import { type Client, createClient, custom } from "viem";
import { call } from "viem/actions";
import type { Network } from "../../networks/network.ts";
import type { BlockCache } from "../block-cache.ts";
import type { Chain, CodeCallRequest, Hex } from "../chain.ts";
import type { CallLimits } from "../node-limits.ts";
import type { CallNodes } from "../nodes/call-nodes.ts";
import { chainErrorOf } from "../nodes/chain-error.ts";
import { callMany } from "./call-many.ts";

export interface OpenChainDependencies {
  readonly nodes: CallNodes;
  readonly limits: CallLimits;
  /** Shared by all callers. */
  readonly cache: BlockCache;
  readonly caller: string | undefined;
}

/** Opens a chain for one caller. */
export function openChain(network: Network, { nodes, limits, cache, caller }: OpenChainDependencies): Chain {
  const gas = limits.callGas;

  async function withClient<Value>(
    signal: AbortSignal | undefined,
    request: (client: Client) => Promise<Value>,
  ): Promise<Value> {
    try {
      return await request(clientOf(nodes, { signal, caller }));
    } catch (err) {
      throw chainErrorOf(err, network.name);
    }
  }

  function callCode({ code, data, blockHash, signal }: CodeCallRequest): Promise<Hex> {
    const block = blockHash === undefined ? {} : { blockHash };
    return withClient(
      signal,
      async (client) => (await call(client, { code, data, gas, ...block })).data ?? "0x",
    );
  }

  /** A shared call serves several callers, so no caller's signal may abort it. */
  async function callCodeShared({ code, data, signal }: CodeCallRequest): Promise<Hex> {
    const block = await withClient(signal, (client) => client.request({ method: "eth_blockNumber" }));
    const result = cache.get(block, code + data, () => callCode({ code, data }));
    return withClient(signal, () => orAborted(signal, result));
  }

  return {
    call: ({ to, data, from, signal }) =>
      withClient(signal, async (client) => {
        const result = await call(client, {
          data,
          gas,
          ...(to === undefined ? {} : { to }),
          ...(from === undefined ? {} : { account: from }),
        });
        return result.data ?? "0x";
      }),
    callCode: (request) => (request.isShared === true ? callCodeShared(request) : callCode(request)),
    callMany: (request) => callMany(callCode, request),
    request: (method, params, signal) =>
      withClient(signal, (client) => client.request({ method, params } as never)),
  };
}

function clientOf(nodes: CallNodes, options: Parameters<CallNodes["request"]>[1]): Client {
  return createClient({
    transport: custom({ request: (request) => nodes.request(request, options) }, { retryCount: 0 }),
    // ERC-3668 lets a contract make its caller fetch any URL, and API callers choose the contracts.
    ccipRead: false,
  });
}

/** Waits for a shared result, unless this caller's signal aborts first. */
function orAborted<Value>(signal: AbortSignal | undefined, work: Promise<Value>): Promise<Value> {
  if (signal === undefined) return work;
  let forget = (): void => {};
  return new Promise<Value>((done, fail) => {
    forget = onAbort(signal, () => fail(signal.reason));
    work.then(done, fail);
  }).finally(() => forget());
}
