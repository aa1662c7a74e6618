import { toHex } from "viem";
import type { Hex } from "../../rpc/chain.ts";
import type { BlockId } from "../derive/blocks.ts";
import { type Header, InvalidResponse } from "../source.ts";
import type { BlockNodes, NodeRequest } from "./block-nodes.ts";
import { readHeader } from "./responses.ts";

/** Reads headers of a chain's blocks. */
export class BlockHeaders {
  readonly #nodes: BlockNodes;

  constructor(nodes: BlockNodes) {
    this.#nodes = nodes;
  }

  latestOfEach(): Promise<readonly (Header | undefined)[]> {
    return this.#nodes.requestFromEach(requestOf("eth_getBlockByNumber", "latest", readHeader));
  }

  latest(): Promise<Header> {
    return this.#nodes.request(requestOf("eth_getBlockByNumber", "latest", readHeader));
  }

  /** Returns undefined if no node knows which blocks are safe or final. */
  byTag(tag: "safe" | "finalized"): Promise<Header | undefined> {
    return this.#nodes.requestOptional(requestOf("eth_getBlockByNumber", tag, readHeader));
  }

  byNumber(number: number): Promise<Header> {
    return this.#nodes.request(requestOf("eth_getBlockByNumber", toHex(number), readHeader));
  }

  byHash(hash: Hex): Promise<Header> {
    const read = (response: unknown): Header => {
      const header = readHeader(response);
      if (header.hash !== hash) throw new InvalidResponse("it returned a different block than requested");
      return header;
    };
    return this.#nodes.request(requestOf("eth_getBlockByHash", hash, read));
  }

  /** Returns how many of the other nodes have this block on their chain, and how many do not. */
  async vote({ number, hash }: BlockId): Promise<{ readonly yes: number; readonly no: number }> {
    const hasBlock = (response: unknown): boolean => readHeader(response).hash === hash;
    const votes = await this.#nodes.requestFromOthers(
      requestOf("eth_getBlockByNumber", toHex(number), hasBlock),
    );
    const yes = votes.filter(Boolean).length;
    return { yes, no: votes.length - yes };
  }
}

function requestOf<Value>(
  method: string,
  block: string,
  read: (response: unknown) => Value,
): NodeRequest<Value> {
  return { method, params: [block, false], isBatchable: true, read };
}
