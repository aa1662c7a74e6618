import { type Abi, decodeFunctionResult, encodeDeployData, encodeFunctionData } from "viem";
import type { Hex } from "../../../../server/chain/rpc/chain.ts";
import type { Artifact } from "../../../../server/chain/sandbox/artifact.ts";
import { type EventChain, startEventChain } from "../../../support/event-chain.ts";

/** Unlocked accounts of the local chain. */
export const accounts: readonly Hex[] = [
  "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
  "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
  "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
  "0x90f79bf6eb2c4f870365e785982e1f101e93b906",
];

/** The chain's native coin, as an address. */
export const noCurrency: Hex = `0x${"0".repeat(40)}`;

export interface SendOptions {
  readonly value?: bigint;
  /** Default: half a million, so that many transactions fit into a block. */
  readonly gas?: bigint;
}

/** A contract on a local chain, called by function names. */
export interface Contract {
  readonly address: Hex;
  /** Sends a transaction, which waits to be mined. */
  send(from: Hex, functionName: string, args: readonly unknown[], more?: SendOptions): Promise<void>;
  read(functionName: string, args?: readonly unknown[]): Promise<unknown>;
  /** Calls a function on the state that includes pending transactions. */
  readPending(functionName: string, args?: readonly unknown[]): Promise<unknown>;
}

export interface MarketWorld extends AsyncDisposable {
  readonly chain: EventChain;
  deploy(artifact: Artifact, args?: readonly unknown[]): Promise<Contract>;
}

/** A local chain that mines on request. */
export async function startMarketWorld(): Promise<MarketWorld> {
  const chain = await startEventChain();
  const call = callsOf(chain);
  const [deployer] = accounts;
  return {
    chain,
    async deploy({ abi, bytecode }, args = []) {
      const data = encodeDeployData({ abi: abi as Abi, bytecode: bytecode as Hex, args } as never);
      const transaction = { from: deployer, data, gas: "0xb71b00" };
      const hash = await chain.request("eth_sendTransaction", transaction);
      await chain.mine();
      const receipt = (await chain.request("eth_getTransactionReceipt", hash)) as {
        readonly contractAddress: Hex;
      };
      return contractAt(chain, call, receipt.contractAddress, abi as Abi);
    },
    [Symbol.asyncDispose]: () => chain[Symbol.asyncDispose](),
  };
}

type Call = (to: Hex, data: Hex) => Promise<Hex>;

/** Batches concurrent calls: a model makes hundreds of calls per block. */
function callsOf({ rpcUrl }: EventChain): Call {
  let waiting: { readonly to: Hex; readonly data: Hex; readonly done: (answer: Promise<Hex>) => void }[] = [];
  async function askAll(): Promise<void> {
    const asked = waiting;
    waiting = [];
    const body = asked.map(({ to, data }, id) => ({
      jsonrpc: "2.0",
      id,
      method: "eth_call",
      params: [{ to, data }, "latest"],
    }));
    const answers = fetch(rpcUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }).then((response) => response.json() as Promise<readonly Answer[]>);
    for (const [place, { done }] of asked.entries())
      done(
        answers.then((all) => {
          const { result, error } = all.find(({ id }) => id === place) ?? {};
          if (result === undefined) throw new Error(`eth_call: ${JSON.stringify(error)}`);
          return result;
        }),
      );
  }
  return (to, data) =>
    new Promise((done) => {
      if (waiting.length === 0) setImmediate(() => void askAll());
      waiting.push({ to, data, done });
    });
}

interface Answer {
  readonly id: number;
  readonly result?: Hex;
  readonly error?: object;
}

function contractAt(chain: EventChain, call: Call, address: Hex, abi: Abi): Contract {
  return {
    address,
    async send(from, functionName, args, { value = 0n, gas = 500_000n } = {}) {
      const data = encodeFunctionData({ abi, functionName, args } as never);
      const transaction = {
        from,
        to: address,
        data,
        gas: `0x${gas.toString(16)}`,
        value: `0x${value.toString(16)}`,
      };
      await chain.request("eth_sendTransaction", transaction);
    },
    async read(functionName, args = []) {
      const data = encodeFunctionData({ abi, functionName, args } as never);
      return decodeFunctionResult({ abi, functionName, data: await call(address, data) } as never);
    },
    async readPending(functionName, args = []) {
      const data = encodeFunctionData({ abi, functionName, args } as never);
      const result = await chain.request("eth_call", { to: address, data }, "pending");
      return decodeFunctionResult({ abi, functionName, data: result } as never);
    },
  };
}
