/** Reads the logs of blocks at the head, which are requested by the hash of their block. */
import { isFilled } from "./bloom.ts";
import type { ChainBlock, LogFilter } from "./derive/deriver.ts";
import { filterBlocks, matchesNothing } from "./derive/filters.ts";
import type { Header } from "./source.ts";
import type { OpenSource } from "./viem/open-source.ts";

const maxConcurrentBlocks = 32;

export interface HeadBlocksOptions {
  readonly filter: LogFilter;
  readonly checkBloom: boolean;
}

/** Whether the bloom filter can exclude logs. A header with the root of its receipts was checked, including its filter. */
function isBelieved({ logsBloom, receiptsRoot }: Header): boolean {
  return receiptsRoot !== undefined || isFilled(logsBloom);
}

/** Returns these blocks with the logs that pass the filter. Throws BlockNotFound. */
export async function readHeadBlocks(
  source: Pick<OpenSource, "bloomFilters" | "logsOfBlock">,
  headers: readonly Header[],
  { filter, checkBloom }: HeadBlocksOptions,
): Promise<readonly ChainBlock[]> {
  const read = async (header: Header): Promise<ChainBlock> => {
    const { number, hash, parentHash, timestamp, logsBloom } = header;
    const hasNoLogs =
      matchesNothing(filter) ||
      (checkBloom && isBelieved(header) && !source.bloomFilters.mayContain(filter, logsBloom));
    return { number, hash, parentHash, timestamp, logs: hasNoLogs ? [] : await source.logsOfBlock(header) };
  };
  const blocks: ChainBlock[] = [];
  for (let start = 0; start < headers.length; start += maxConcurrentBlocks)
    blocks.push(...(await Promise.all(headers.slice(start, start + maxConcurrentBlocks).map(read))));
  return filterBlocks(blocks, { ...filter });
}
