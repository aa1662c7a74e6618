import { toHex } from "viem";
import { loadKeccak } from "../../../base/keccak.ts";
import type { Network } from "../../networks/network.ts";
import { Blooms } from "../bloom.ts";
import type { ChainLog, LogFilter } from "../derive/deriver.ts";
import { type Header, NotThere, type Source, Untrue } from "../source.ts";
import { Nodes, type SetAside, type SourceLimits, sourceLimits } from "./nodes.ts";
import { readHeader, readLogs, withPlaces } from "./read.ts";

export interface OpenSource extends Source {
  /** By the place of the node. */
  readonly healthy: () => readonly boolean[];
  readonly blooms: Blooms;
}

/** Contracts or topics in one question; nodes take more, but not all of them. */
const itemsMax = 100;

export async function openSource(
  { chainId, rpcUrls, follow }: Network,
  onSetAside: (event: SetAside) => void,
  limits: SourceLimits = sourceLimits,
): Promise<OpenSource> {
  const nodes = new Nodes(rpcUrls, chainId, onSetAside, limits);
  const blooms = new Blooms(await loadKeccak());
  const checksBloom = follow?.checkBloom !== false;
  const headerBy = (method: string, key: string) =>
    nodes.ask({ method, params: [key, false], isSmall: true, read: readHeader });
  return {
    blooms,
    healthy: () => nodes.healthy,
    latest: () => headerBy("eth_getBlockByNumber", "latest"),
    headerByHash: async (hash) => {
      const read = (answer: unknown): Header => {
        const header = readHeader(answer);
        if (header.hash !== hash) throw new Untrue("it answered another block than was asked for");
        return header;
      };
      return nodes.ask({ method: "eth_getBlockByHash", params: [hash, false], isSmall: true, read });
    },
    headersByNumber: (numbers) =>
      Promise.all(numbers.map((number) => headerBy("eth_getBlockByNumber", toHex(number)))),
    logsOfBlock: ({ hash, number, logsBloom }) =>
      nodes.ask({
        method: "eth_getLogs",
        params: [{ blockHash: hash }],
        isSmall: true,
        read: (answer) => {
          const logs = withPlaces(ofBlock(readLogs(answer), hash, number));
          // At the head nodes may answer before they have indexed the block.
          if (checksBloom && !(areWhole(logs) && blooms.isOf(logs, logsBloom)))
            throw new NotThere("the logs are not those of the block's bloom");
          return logs;
        },
      }),
    logsOfRange: (from, to, filter) =>
      nodes.ask({
        method: "eth_getLogs",
        params: [{ fromBlock: toHex(from), toBlock: toHex(to), ...onWire(filter) }],
        isSmall: false,
        read: (answer) => {
          const logs = readLogs(answer);
          if (logs.some(({ blockNumber }) => blockNumber < from || blockNumber > to))
            throw new Untrue("it answered logs of other blocks than were asked for");
          return logs;
        },
      }),
    vote: async ({ number, hash }) => {
      const read = (answer: unknown): boolean => readHeader(answer).hash === hash;
      const params = [toHex(number), false];
      const votes = await nodes.askOthers({ method: "eth_getBlockByNumber", params, isSmall: true, read });
      const yes = votes.filter(Boolean).length;
      return { yes, no: votes.length - yes };
    },
    distrust: (reason) => nodes.distrustLast(reason),
  };
}

/** Logs that are alike have one filter, however many they are: a gap in their numbers tells that one is missing, unless it is the last. */
function areWhole(logs: readonly ChainLog[]): boolean {
  return logs.every(({ logIndex }, index) => logIndex === index);
}

function ofBlock<Log extends { readonly blockHash: string; readonly blockNumber: number }>(
  logs: readonly Log[],
  hash: string,
  number: number,
): readonly Log[] {
  if (logs.some(({ blockHash, blockNumber }) => blockHash !== hash || blockNumber !== number))
    throw new Untrue("it answered logs of another block than was asked for");
  return logs;
}

function onWire({ addresses, topics }: LogFilter): object {
  return {
    ...(addresses === undefined || addresses.size > itemsMax ? {} : { address: [...addresses] }),
    ...(topics === undefined || topics.size > itemsMax ? {} : { topics: [[...topics]] }),
  };
}
