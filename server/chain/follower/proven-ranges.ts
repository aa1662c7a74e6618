/** Reads ranges of blocks whose logs are checked with the headers: no node can omit a block with logs. */

import type { Range } from "./backfill.ts";
import type { LogFilter } from "./derive/deriver.ts";
import { readHeadBlocks } from "./head-blocks.ts";
import { type Header, InvalidResponse } from "./source.ts";
import type { OpenSource } from "./viem/open-source.ts";

export interface ProvenRangesOptions {
  readonly from: number;
  readonly to: number;
  readonly filter: LogFilter;
  readonly checkBloom: boolean;
}

/** Headers that are requested and committed together. */
const rangeBlocks = 500;

export async function* readProvenRanges(
  source: Pick<OpenSource, "bloomFilters" | "logsOfBlock" | "headersByNumber">,
  { from, to, filter, checkBloom }: ProvenRangesOptions,
): AsyncGenerator<Range> {
  for (let next = from; next <= to; next += rangeBlocks) {
    const count = Math.min(rangeBlocks, to - next + 1);
    const headers = await source.headersByNumber(Array.from({ length: count }, (_, index) => next + index));
    requireChain(headers);
    const [first, last] = [headers[0], headers.at(-1)];
    if (first === undefined || last === undefined) throw new InvalidResponse("the range has no headers");
    const blocks = await readHeadBlocks(source, headers, { filter, checkBloom });
    const matching = blocks.filter(({ logs }) => logs.length > 0);
    yield { from: next, to: last, parentHash: first.parentHash, blocks: matching };
  }
}

function requireChain(headers: readonly Header[]): void {
  for (const [index, { parentHash }] of headers.entries())
    if (index > 0 && headers[index - 1]?.hash !== parentHash)
      throw new InvalidResponse("the blocks do not form a chain");
}
