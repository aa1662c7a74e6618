/** A local chain whose blocks emit events on demand, and can be reorganized. */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Hex } from "../../server/chain/rpc/chain.ts";
import { anvilPath, startAnvil } from "../../server/chain/sandbox/anvil.ts";

export interface ChainEventLog {
  readonly blockNumber: number;
  readonly blockHash: Hex;
  readonly logIndex: number;
  readonly data: Hex;
}

/** Emits as many events as the first byte of its input says, each with the rest of the input as data. Hand-written EVM code. */
const emitter: Hex =
  // for (n = first byte; n != 0; n--) { copy 32 bytes of input from 1; log1 of them with the topic }
  `0x60003560f81c5b8015604057602060016000377f${"11".repeat(32)}60206000a1600190036006565b00`;

export const transferTopic: Hex = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/** The same, with Transfer events from one account to another. */
export const transferEmitter: Hex = `0x60003560f81c5b8015606a576020600160003773${"bb".repeat(20)}73${"aa".repeat(20)}7f${transferTopic.slice(2)}60206000a3600190036006565b00`;

export const emitterAddress: Hex = `0x${"e1".repeat(20)}`;
export const emittedTopic: Hex = `0x${"11".repeat(32)}`;

export interface EventChain extends AsyncDisposable {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  /** Sends a transaction with this many events, marked by a unique number. It waits to be mined. */
  emit(count: number): Promise<void>;
  mine(blocks?: number): Promise<void>;
  request(method: string, ...params: readonly unknown[]): Promise<unknown>;
  head(): Promise<number>;
  /** Time of the newest block, in seconds since 1970. It runs ahead of the clock if blocks come fast. */
  time(): Promise<bigint>;
  /** All events of the current chain. */
  events(): Promise<readonly ChainEventLog[]>;
}

const account = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";

export async function startEventChain(chainId = 31_337, code: Hex = emitter): Promise<EventChain> {
  const program = anvilPath();
  if (program === undefined) throw new Error("the local chain is not installed");
  const anvil = await startAnvil(program, chainId);
  let marks = 0;
  async function request(method: string, ...params: readonly unknown[]): Promise<unknown> {
    const response = await fetch(anvil.rpcUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as {
      readonly result?: unknown;
      readonly error?: object;
    };
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  }
  await request("anvil_setCode", emitterAddress, code);
  await request("evm_setAutomine", false);
  return {
    rpcUrl: anvil.rpcUrl,
    wsUrl: anvil.rpcUrl.replace("http", "ws"),
    request,
    async emit(count) {
      const data = `0x${count.toString(16).padStart(2, "0")}${(++marks).toString(16).padStart(64, "0")}`;
      await request("eth_sendTransaction", { from: account, to: emitterAddress, data, gas: "0x4c4b40" });
    },
    async mine(blocks = 1) {
      if (blocks === 1) await request("evm_mine");
      else await request("anvil_mine", `0x${blocks.toString(16)}`);
    },
    head: async () => Number(await request("eth_blockNumber")),
    async time() {
      const { timestamp } = (await request("eth_getBlockByNumber", "latest", false)) as {
        readonly timestamp: Hex;
      };
      return BigInt(timestamp);
    },
    async events() {
      const logs = (await request("eth_getLogs", {
        fromBlock: "0x0",
        toBlock: "latest",
        address: emitterAddress,
      })) as readonly Readonly<Record<string, Hex>>[];
      return logs.map(({ blockNumber = "0x0", blockHash = "0x", logIndex = "0x0", data = "0x" }) => ({
        blockNumber: Number(blockNumber),
        blockHash,
        logIndex: Number(logIndex),
        data,
      }));
    },
    [Symbol.asyncDispose]: () => anvil[Symbol.asyncDispose](),
  };
}

/** Replaces the newest blocks by as many others, the lowest of which has its own transaction. */
export async function reorganize(chain: EventChain, depth: number): Promise<void> {
  const head = await chain.head();
  const data = `0x02${String(head).padStart(64, "a")}`;
  const replaced = [[{ from: account, to: emitterAddress, data }, 0]];
  // Anvil drops old states, the sooner the more often the chain was reorganized.
  for (let most = Math.min(depth, head - 1); most > 0; most >>= 1) {
    const isDone = await chain.request("anvil_reorg", most, replaced).then(
      () => true,
      () => false,
    );
    if (isDone) return;
  }
}

/** Another node with the same blocks so far, which can fork from here. */
export async function forkOf(chain: EventChain): Promise<EventChain> {
  const fork = await startEventChain();
  await fork.request("anvil_loadState", await chain.request("anvil_dumpState"));
  return fork;
}

interface Call {
  readonly id: number;
  readonly method: string;
  readonly result?: unknown;
}

export interface Switch extends AsyncDisposable {
  readonly rpcUrl: string;
  current: EventChain;
  /** Numbers of the blocks that the node reports as safe and finalized. Undefined: the node's own. */
  tags: { readonly safe: number; readonly finalized: number } | undefined;
  /** Changes the response to a request, single or in a batch. */
  twist: (method: string, result: unknown) => unknown;
  /** Turns the response into an error. */
  refuse: (
    method: string,
    result: unknown,
  ) => { readonly code: number; readonly message: string } | undefined;
}

/** A URL whose node can be switched, so that blocks leave the chain and return unchanged. */
export async function startSwitch(chain: EventChain): Promise<Switch> {
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const headers = { "content-type": "application/json" };
    try {
      const body = Buffer.concat(chunks)
        .toString()
        .replace(/"(safe|finalized)"/g, (text, tag: "safe" | "finalized") =>
          behind.tags === undefined ? text : `"0x${behind.tags[tag].toString(16)}"`,
        );
      const answer = await fetch(behind.current.rpcUrl, { method: "POST", headers, body });
      const asked: unknown = JSON.parse(body);
      const methods = new Map([asked].flat().map((one) => [(one as Call).id, (one as Call).method]));
      const twisted = ({ result, ...one }: Call): object => {
        const method = methods.get(one.id) ?? "";
        const error = behind.refuse(method, result);
        return error === undefined ? { ...one, result: behind.twist(method, result) } : { ...one, error };
      };
      const given = (await answer.json()) as Call | Call[];
      res
        .writeHead(answer.status, headers)
        .end(JSON.stringify(Array.isArray(given) ? given.map(twisted) : twisted(given)));
    } catch {
      res.destroy();
    }
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const behind: Switch = {
    tags: undefined,
    twist: (_, result) => result,
    refuse: () => undefined,
    rpcUrl: `http://127.0.0.1:${port}`,
    current: chain,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return behind;
}
