import { type Client, createClient, custom } from "viem";
import { call } from "viem/actions";
import type { Network } from "../../networks/network.ts";
import { BlockCache } from "../block-cache.ts";
import type { Chain, CodeCallRequest, Hex } from "../chain.ts";
import type { ChainLimits } from "../limits.ts";
import { chainErrorOf } from "../nodes/chain-error.ts";
import type { NodePool } from "../nodes/node-pool.ts";
import { callMany } from "./call-many.ts";

export function openChain(network: Network, nodes: NodePool, limits: ChainLimits): Chain {
  const answers = new BlockCache({ maxAgeMs: limits.maxSharedAgeMs, most: limits.maxSharedResults });
  const gas = limits.callGas;

  async function ask<Value>(
    signal: AbortSignal | undefined,
    question: (client: Client) => Promise<Value>,
  ): Promise<Value> {
    try {
      return await question(clientOf(nodes, signal));
    } catch (err) {
      throw chainErrorOf(err, network.name);
    }
  }

  function callCode({ code, data, blockHash, signal }: CodeCallRequest): Promise<Hex> {
    const block = blockHash === undefined ? {} : { blockHash };
    return ask(signal, async (client) => (await call(client, { code, data, gas, ...block })).data ?? "0x");
  }

  /** The question that is shared belongs to nobody, and so ends with nobody's signal. */
  async function callCodeShared({ code, data, signal }: CodeCallRequest): Promise<Hex> {
    const block = await ask(signal, (client) => client.request({ method: "eth_blockNumber" }));
    const answer = answers.at(block, code + data, () => callCode({ code, data }));
    return ask(signal, () => unless(signal, answer));
  }

  return {
    call: ({ to, data, from, signal }) =>
      ask(signal, async (client) => {
        const answer = await call(client, {
          data,
          gas,
          ...(to === undefined ? {} : { to }),
          ...(from === undefined ? {} : { account: from }),
        });
        return answer.data ?? "0x";
      }),
    callCode: (request) => (request.isShared === true ? callCodeShared(request) : callCode(request)),
    callMany: (request) => callMany(callCode, request),
    request: (method, params, signal) => ask(signal, (client) => client.request({ method, params } as never)),
  };
}

function clientOf(nodes: NodePool, signal: AbortSignal | undefined): Client {
  return createClient({
    transport: custom({ request: (question) => nodes.request(question, signal) }, { retryCount: 0 }),
    // A contract may ask its caller to fetch something from an address of its choice (ERC-3668), and contracts are the callers' choice.
    ccipRead: false,
  });
}

/** What somebody else's question gives, unless this caller goes before. */
function unless<Value>(signal: AbortSignal | undefined, work: Promise<Value>): Promise<Value> {
  if (signal === undefined) return work;
  return new Promise((done, fail) => {
    const stop = (): void => fail(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(done, fail).finally(() => signal.removeEventListener("abort", stop));
  });
}
