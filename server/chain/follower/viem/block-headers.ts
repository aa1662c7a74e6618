import { toHex, toRlp } from "viem";
import type { Keccak } from "../../../base/keccak.ts";
import type { Hex } from "../../rpc/chain.ts";
import { hexOf } from "../../rpc/hex.ts";
import { FalseResponse } from "../../rpc/nodes/faults.ts";
import type { BlockId } from "../derive/deriver.ts";
import { type Header, InvalidResponse } from "../source.ts";
import type { BlockNodes, NodeRequest } from "./block-nodes.ts";
import { hexOfLength, quantity } from "./receipts.ts";
import { readHeader } from "./responses.ts";

/** Reads headers of a chain's blocks. */
export class BlockHeaders {
  readonly #nodes: BlockNodes;
  readonly #read: (response: unknown) => Header;

  /** `read` validates a response. It throws InvalidResponse and BlockNotFound. */
  constructor(nodes: BlockNodes, read: (response: unknown) => Header) {
    this.#nodes = nodes;
    this.#read = read;
  }

  latest(): Promise<Header> {
    return this.#nodes.request(requestOf("eth_getBlockByNumber", "latest", this.#read));
  }

  /** Returns undefined if no node knows which blocks are safe or final. */
  byTag(tag: "safe" | "finalized"): Promise<Header | undefined> {
    return this.#nodes.requestOptional(requestOf("eth_getBlockByNumber", tag, this.#read));
  }

  byNumber(number: number): Promise<Header> {
    return this.#nodes.request(requestOf("eth_getBlockByNumber", toHex(number), this.#read));
  }

  byHash(hash: Hex): Promise<Header> {
    const read = (response: unknown): Header => {
      const header = this.#read(response);
      if (header.hash !== hash) throw new InvalidResponse("it returned a different block than requested");
      return header;
    };
    return this.#nodes.request(requestOf("eth_getBlockByHash", hash, read));
  }

  /** Returns how many of the other nodes have this block on their chain, and how many do not. */
  async vote({ number, hash }: BlockId): Promise<{ readonly yes: number; readonly no: number }> {
    const hasBlock = (response: unknown): boolean => this.#read(response).hash === hash;
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

/** Reads a header with the root of its receipts. Throws FalseResponse if its content does not have its hash. */
export function readCheckedHeader(response: unknown, keccak: Keccak): Header {
  const header = readHeader(response);
  const fields = response as Readonly<Record<string, unknown>>;
  if (headerHash(fields, keccak) !== header.hash)
    throw new FalseResponse("a block's header does not have the block's hash");
  return { ...header, receiptsRoot: hexOfLength(fields["receiptsRoot"], 32) };
}

// Whether a block header is the one that its hash names, so that the root of the receipts in it can be trusted as much as the hash.

type Read = (value: unknown) => Hex;

const fixed =
  (bytes: number): Read =>
  (value) =>
    hexOfLength(value, bytes);
const any: Read = (value) => hexOfLength(value, undefined);
const hash = fixed(32);

/** In the order of the encoding. */
const fields: readonly (readonly [name: string, read: Read])[] = [
  ["parentHash", hash],
  ["sha3Uncles", hash],
  ["miner", fixed(20)],
  ["stateRoot", hash],
  ["transactionsRoot", hash],
  ["receiptsRoot", hash],
  ["logsBloom", fixed(256)],
  ["difficulty", quantity],
  ["number", quantity],
  ["gasLimit", quantity],
  ["gasUsed", quantity],
  ["timestamp", quantity],
  ["extraData", any],
  ["mixHash", hash],
  ["nonce", fixed(8)],
];

/** Added by London, Shanghai, Cancun and Prague, in this order. A header has all up to those of its fork. */
const laterFields: readonly (readonly [name: string, read: Read])[] = [
  ["baseFeePerGas", quantity],
  ["withdrawalsRoot", hash],
  ["blobGasUsed", quantity],
  ["excessBlobGas", quantity],
  ["parentBeaconBlockRoot", hash],
  ["requestsHash", hash],
];

/** Throws InvalidResponse if a field is missing. */
export function headerHash(header: Readonly<Record<string, unknown>>, keccak: Keccak): Hex {
  const later = laterFields.filter(([name]) => header[name] !== undefined && header[name] !== null);
  const items = [...fields, ...later].map(([name, read]) => read(header[name]));
  return hexOf(Buffer.from(keccak(toRlp(items, "bytes"))));
}
