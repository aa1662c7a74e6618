import { toHex } from "viem";
import type { Keccak } from "../../../base/keccak.ts";
import type { Hex } from "../../rpc/chain.ts";
import { type BloomFilters, isFilled } from "../bloom.ts";
import type { ChainLog } from "../derive/deriver.ts";
import { BlockNotFound, type Header, InvalidResponse, type RangeLog } from "../source.ts";
import type { BlockHeaders } from "./block-headers.ts";
import type { BlockNodes } from "./block-nodes.ts";
import { logsOfReceipts } from "./receipts/receipts.ts";
import { readLogs, withIndexInTransaction } from "./responses.ts";
import { isParameterRejected } from "./too-many-logs.ts";

export interface BlockLogsDependencies {
  readonly nodes: BlockNodes;
  readonly headers: BlockHeaders;
  readonly bloomFilters: BloomFilters;
  readonly checksBloom: boolean;
  readonly keccak: Keccak;
}

/** Reads all logs of a block. Checks that none is missing, with the root of its receipts or its bloom filter. */
export class BlockLogs {
  readonly #dependencies: BlockLogsDependencies;
  /** Whether a node has rejected requests by block hash, which a few do not support. */
  #isReadByNumber = false;

  constructor(dependencies: BlockLogsDependencies) {
    this.#dependencies = dependencies;
  }

  async read(header: Header): Promise<readonly ChainLog[]> {
    if (header.receiptsRoot !== undefined) return this.#readProven(header.hash, header.receiptsRoot);
    if (this.#isReadByNumber) return this.#readByNumber(header);
    try {
      return await this.#readBy({ blockHash: header.hash }, header);
    } catch (err) {
      if (!isParameterRejected(err)) throw err;
      const logs = await this.#readByNumber(header);
      this.#isReadByNumber = true;
      return logs;
    }
  }

  /** See `Source.withIndexes`. */
  withIndexes(header: Header, logs: readonly RangeLog[], areAll: boolean): readonly ChainLog[] | undefined {
    const isComplete = this.#isChecked(header) ? this.#areAllOf(header, logs) : areAll;
    return isComplete ? withIndexInTransaction(logs) : undefined;
  }

  #readProven(hash: Hex, receiptsRoot: Hex): Promise<readonly ChainLog[]> {
    const { nodes, keccak } = this.#dependencies;
    return nodes.request({
      method: "eth_getBlockReceipts",
      params: [hash],
      isBatchable: true,
      read: (response) => {
        if (response === null) throw new BlockNotFound("the node does not have the block");
        return logsOfReceipts(response, receiptsRoot, keccak);
      },
    });
  }

  /** Checks the header afterwards: no log may reveal that another block has this number by now. */
  async #readByNumber(header: Header): Promise<readonly ChainLog[]> {
    const number = toHex(header.number);
    const logs = await this.#readBy({ fromBlock: number, toBlock: number }, header);
    const { hash } = await this.#dependencies.headers.byNumber(header.number);
    if (hash !== header.hash) throw new BlockNotFound("another block has this number");
    return logs;
  }

  #readBy(block: object, header: Header): Promise<readonly ChainLog[]> {
    return this.#dependencies.nodes.request({
      method: "eth_getLogs",
      params: [block],
      isBatchable: true,
      read: (response) => {
        const logs = withIndexInTransaction(logsOfOneBlock(readLogs(response), header));
        // At the head, nodes may respond before they have indexed the block.
        if (this.#isChecked(header) && !this.#areAllOf(header, logs))
          throw new BlockNotFound(
            "the logs do not match the block's bloom filter; if this lasts because the chain's filters are wrong, set checkBloom to false in follow",
          );
        return logs;
      },
    });
  }

  #isChecked({ logsBloom }: Header): boolean {
    return this.#dependencies.checksBloom && isFilled(logsBloom);
  }

  #areAllOf({ logsBloom }: Header, logs: readonly ChainLog[]): boolean {
    return areConsecutive(logs) && this.#dependencies.bloomFilters.isExactly(logs, logsBloom);
  }
}

/**
 * Equal logs set the same bits, so the bloom filter cannot reveal that one of them is missing. A gap in the log indexes reveals
 * that, unless the missing log is the last one.
 */
function areConsecutive(logs: readonly ChainLog[]): boolean {
  return logs.every(({ logIndex }, index) => logIndex === index);
}

function logsOfOneBlock(logs: readonly RangeLog[], { hash, number }: Header): readonly RangeLog[] {
  if (logs.some(({ blockHash, blockNumber }) => blockHash !== hash || blockNumber !== number))
    throw new InvalidResponse("it returned logs of a different block than requested");
  return logs;
}
