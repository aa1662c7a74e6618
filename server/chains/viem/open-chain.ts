import { type Client, createClient, custom } from "viem";
import { call } from "viem/actions";
import type { Network } from "../../networks/network.ts";
import type { Chain, Hex } from "../chain.ts";
import type { ChainLimits } from "../limits.ts";
import { failureOf } from "./failure.ts";
import { Nodes } from "./nodes.ts";

export function openChain(network: Network, limits: ChainLimits): Chain {
  const nodes = new Nodes(network, limits);
  const client = (signal: AbortSignal | undefined): Client =>
    createClient({
      transport: custom({ request: (question) => nodes.ask(question, signal) }, { retryCount: 0 }),
      // A contract may ask its caller to fetch something from an address of its choice (ERC-3668), and contracts are the callers' choice.
      ccipRead: false,
    });
  const gas = limits.callGas;
  return {
    async call({ to, data, from, signal }) {
      try {
        const answer = await call(client(signal), {
          data,
          gas,
          ...(to === undefined ? {} : { to }),
          ...(from === undefined ? {} : { account: from }),
        });
        return answer.data ?? "0x";
      } catch (err) {
        throw failureOf(err, network.name);
      }
    },
    async callCode({ code, data, signal }) {
      try {
        const answer = await call(client(signal), { code, data, gas });
        return answer.data ?? "0x";
      } catch (err) {
        throw failureOf(err, network.name);
      }
    },
    async request(method, params, signal) {
      try {
        return (await client(signal).request({ method, params } as never)) as Hex;
      } catch (err) {
        throw failureOf(err, network.name);
      }
    },
  };
}
