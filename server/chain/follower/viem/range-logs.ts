import { toHex } from "viem";
import type { LogFilter } from "../derive/deriver.ts";
import { FilterRequired, InvalidResponse, type RangeLogs } from "../source.ts";
import type { BlockNodes } from "./block-nodes.ts";
import { readLogs } from "./responses.ts";
import { isRejected } from "./too-many-logs.ts";

/** Most contracts or topics in one request. Only some nodes accept more, so longer filters are omitted. */
const maxItems = 100;

/** Reads the logs of the blocks `from` to `to`. Without a filter, all logs. Throws TooManyLogs and FilterRequired. */
export async function readRangeLogs(
  nodes: BlockNodes,
  from: number,
  to: number,
  filter: LogFilter | undefined,
): Promise<RangeLogs> {
  try {
    return await nodes.request({
      method: "eth_getLogs",
      params: [{ fromBlock: toHex(from), toBlock: toHex(to), ...filterParams(filter ?? {}) }],
      isBatchable: false,
      read: (response, node) => {
        const logs = readLogs(response);
        if (logs.some(({ blockNumber }) => blockNumber < from || blockNumber > to))
          throw new InvalidResponse("it returned logs of blocks that were not requested");
        return { logs, node };
      },
    });
  } catch (err) {
    if (filter !== undefined || !isRejected(err)) throw err;
    throw new FilterRequired("no node returns logs without a filter", { cause: err });
  }
}

function filterParams({ addresses, topics }: LogFilter): object {
  return {
    ...(addresses === undefined || addresses.size > maxItems ? {} : { address: [...addresses] }),
    ...(topics === undefined || topics.size > maxItems ? {} : { topics: [[...topics]] }),
  };
}
