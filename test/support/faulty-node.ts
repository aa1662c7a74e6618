/** A node whose responses a test can corrupt: an HTTP proxy in front of a real node. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface RpcCall {
  readonly jsonrpc: "2.0";
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

export interface RpcAnswer {
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
  readonly [key: string]: unknown;
}

export interface Exchange {
  readonly calls: readonly RpcCall[];
  /** Whether a batch was sent. */
  readonly isList: boolean;
  readonly res: ServerResponse;
  /** The responses of a node, by default the real one, to these calls. */
  readonly forward: (calls?: readonly RpcCall[], rpcUrl?: string) => Promise<readonly RpcAnswer[]>;
  /** Sends the responses, as a batch or single, like the request. */
  readonly send: (answers: readonly unknown[]) => void;
}

export type Fault = (exchange: Exchange) => Promise<void> | void;

export interface FaultyNode extends AsyncDisposable {
  readonly rpcUrl: string;
  /** HTTP requests so far. */
  readonly requests: () => number;
  /** Requests for the chain id so far. */
  readonly chainChecks: () => number;
  fault: Fault;
}

/** Responds like the real node. */
export const honest: Fault = async ({ forward, send }) => send(await forward());

export async function startFaultyNode(realUrl: string): Promise<FaultyNode> {
  let requests = 0;
  let chainChecks = 0;
  const server = createServer(async (req, res) => {
    requests++;
    try {
      const asked = JSON.parse(Buffer.concat(await req.toArray()).toString()) as RpcCall | readonly RpcCall[];
      const isList = !("method" in asked);
      const calls = "method" in asked ? [asked] : asked;
      chainChecks += calls.filter(({ method }) => method === "eth_chainId").length;
      await node.fault({
        calls,
        isList,
        res,
        forward: (given = calls, rpcUrl = realUrl) => forward(rpcUrl, given),
        send: (answers) => {
          res.setHeader("content-type", "application/json");
          res.end(JSON.stringify(isList ? answers : answers[0]));
        },
      });
    } catch {
      // Closes the connection if the real node does not respond.
      res.destroy();
    }
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const node: FaultyNode = {
    rpcUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    chainChecks: () => chainChecks,
    fault: honest,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return node;
}

async function forward(rpcUrl: string, calls: readonly RpcCall[]): Promise<readonly RpcAnswer[]> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(rpcUrl, { method: "POST", headers, body: JSON.stringify(calls) });
  return (await response.json()) as readonly RpcAnswer[];
}

/** Reports this chain id in place of the real node's. Other nodes that a fault asks keep theirs. */
export function ofChain(chainId: number, fault: Fault = honest): Fault {
  return (exchange) =>
    fault({
      ...exchange,
      forward: async (calls = exchange.calls, rpcUrl) => {
        const answers = await exchange.forward(calls, rpcUrl);
        if (rpcUrl !== undefined) return answers;
        const ids = new Set(calls.filter(({ method }) => method === "eth_chainId").map(({ id }) => id));
        return answers.map((one) =>
          ids.has(Number(one.id)) ? { ...one, result: `0x${chainId.toString(16)}` } : one,
        );
      },
    });
}
