/** The events of tokens: what each log says, and undefined for one that says nothing that can be understood. */

import type { ChainLog } from "../../chain/follower/derive/deriver.ts";
import type { Hex } from "../../chain/rpc/chain.ts";
import { wordAt } from "../../chain/rpc/words.ts";

export type TokenEvent =
  | { readonly kind: "moved"; readonly standard: "ERC721" | "ERC1155"; readonly moves: readonly Move[] }
  /** Metadata of the tokens from the first to the last may have changed. */
  | { readonly kind: "changed"; readonly first: bigint; readonly last: bigint };

/** Nobody is undefined: tokens are made out of nothing, and destroyed. Addresses are lower case. */
export interface Move {
  readonly tokenId: bigint;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly quantity: bigint;
}

type Read = (log: ChainLog) => TokenEvent | undefined;

/** By their first topic. */
const readers: ReadonlyMap<Hex, Read> = new Map<Hex, Read>([
  // ERC-721: Transfer(address,address,uint256), all indexed. That of ERC-20 has one topic less.
  ["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef", readTransfer],
  // ERC-1155: TransferSingle(address,address,address,uint256,uint256)
  ["0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62", readSingle],
  // ERC-1155: TransferBatch(address,address,address,uint256[],uint256[])
  ["0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb", readBatch],
  // ERC-1155: URI(string,uint256)
  ["0x6bb7ff708619ba0610cba295a58592e0451dee2622938c8755667688daf3529b", readUri],
  // EIP-4906: MetadataUpdate(uint256)
  ["0xf8e1a15aba9398e019f0b49df1a4fde98ee17ae345cb5f6b5e2c27f5033e8ce7", readUpdate],
  // EIP-4906: BatchMetadataUpdate(uint256,uint256)
  ["0x6bd5c950a8d8df17f772f5af37cb3655737899cbf903264b9795592da439661c", readBatchUpdate],
]);

export const tokenTopics: ReadonlySet<Hex> = new Set(readers.keys());

export function readTokenEvent(log: ChainLog): TokenEvent | undefined {
  const [topic] = log.topics;
  return topic === undefined ? undefined : readers.get(topic)?.(log);
}

function readTransfer({ topics: [, from, to, tokenId, more] }: ChainLog): TokenEvent | undefined {
  if (from === undefined || to === undefined || tokenId === undefined || more !== undefined) return undefined;
  const move = { tokenId: BigInt(tokenId), from: accountOf(from), to: accountOf(to), quantity: 1n };
  return { kind: "moved", standard: "ERC721", moves: [move] };
}

function readSingle({ topics: [, , from, to], data }: ChainLog): TokenEvent | undefined {
  const [tokenId, quantity] = [wordAt(data, 0), wordAt(data, 1)];
  if (from === undefined || to === undefined || tokenId === undefined || quantity === undefined)
    return undefined;
  const move = { tokenId, from: accountOf(from), to: accountOf(to), quantity };
  return { kind: "moved", standard: "ERC1155", moves: [move] };
}

function readBatch({ topics: [, , from, to], data }: ChainLog): TokenEvent | undefined {
  if (from === undefined || to === undefined) return undefined;
  const [ids, quantities] = [listAt(data, 0), listAt(data, 1)];
  if (ids === undefined || quantities?.length !== ids.length) return undefined;
  const moves = ids.map((tokenId, index) => ({
    ...{ tokenId, from: accountOf(from), to: accountOf(to) },
    quantity: quantities[index] ?? 0n,
  }));
  return { kind: "moved", standard: "ERC1155", moves };
}

function readUri({ topics: [, tokenId] }: ChainLog): TokenEvent | undefined {
  return tokenId === undefined ? undefined : changed(BigInt(tokenId), BigInt(tokenId));
}

function readUpdate({ data }: ChainLog): TokenEvent | undefined {
  const tokenId = wordAt(data, 0);
  return tokenId === undefined ? undefined : changed(tokenId, tokenId);
}

function readBatchUpdate({ data }: ChainLog): TokenEvent | undefined {
  const [first, last] = [wordAt(data, 0), wordAt(data, 1)];
  return first === undefined || last === undefined ? undefined : changed(first, last);
}

function changed(first: bigint, last: bigint): TokenEvent {
  return { kind: "changed", first, last };
}

function accountOf(word: Hex): string | undefined {
  const address = `0x${word.slice(-40)}`;
  return /^0x0+$/.test(address) ? undefined : address;
}

/** A list of the ABI whose place stands in a word. What reaches past the end is none. */
function listAt(data: Hex, index: number): readonly bigint[] | undefined {
  const place = wordAt(data, index);
  if (place === undefined || place % 32n !== 0n || place > BigInt(data.length)) return undefined;
  const at = Number(place / 32n);
  const length = wordAt(data, at);
  if (length === undefined || length * 64n > BigInt(data.length)) return undefined;
  const words = Array.from({ length: Number(length) }, (_, one) => wordAt(data, at + 1 + one));
  return words.every((word) => word !== undefined) ? words : undefined;
}
