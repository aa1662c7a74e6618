import type { ChainLog } from "../../chain/follower/derive/blocks.ts";
import type { Hex } from "../../chain/rpc/chain.ts";
import { wordAt } from "../../chain/rpc/hex.ts";

type TokenEvent =
  | {
      readonly kind: "moved";
      readonly standard: "ERC721" | "ERC1155";
      readonly transfers: readonly TokenTransfer[];
    }
  /** The metadata of a range of tokens may have changed, both ends inclusive. */
  | { readonly kind: "changed"; readonly first: bigint; readonly last: bigint };

/** A transfer. `from` is undefined for minting, `to` for burning. Addresses are lower case. */
export interface TokenTransfer {
  readonly tokenId: bigint;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly quantity: bigint;
}

type Decode = (log: ChainLog) => TokenEvent | undefined;

const decoders: ReadonlyMap<Hex, Decode> = new Map<Hex, Decode>([
  // ERC-721: Transfer(address,address,uint256), all indexed. The event of ERC-20 has one topic less.
  ["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef", decodeTransfer],
  // ERC-1155: TransferSingle(address,address,address,uint256,uint256)
  ["0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62", decodeTransferSingle],
  // ERC-1155: TransferBatch(address,address,address,uint256[],uint256[])
  ["0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb", decodeTransferBatch],
  // ERC-1155: URI(string,uint256)
  ["0x6bb7ff708619ba0610cba295a58592e0451dee2622938c8755667688daf3529b", decodeUri],
  // EIP-4906: MetadataUpdate(uint256)
  ["0xf8e1a15aba9398e019f0b49df1a4fde98ee17ae345cb5f6b5e2c27f5033e8ce7", decodeMetadataUpdate],
  // EIP-4906: BatchMetadataUpdate(uint256,uint256)
  ["0x6bd5c950a8d8df17f772f5af37cb3655737899cbf903264b9795592da439661c", decodeBatchMetadataUpdate],
]);

export const tokenTopics: ReadonlySet<Hex> = new Set(decoders.keys());

export function decodeTokenEvent(log: ChainLog): TokenEvent | undefined {
  const [topic] = log.topics;
  return topic === undefined ? undefined : decoders.get(topic)?.(log);
}

function decodeTransfer({ topics: [, from, to, tokenId] }: ChainLog): TokenEvent | undefined {
  if (from === undefined || to === undefined || tokenId === undefined) return undefined;
  const transfer = { tokenId: BigInt(tokenId), from: accountOf(from), to: accountOf(to), quantity: 1n };
  return { kind: "moved", standard: "ERC721", transfers: [transfer] };
}

function decodeTransferSingle({ topics: [, , from, to], data }: ChainLog): TokenEvent | undefined {
  const [tokenId, quantity] = [wordAt(data, 0), wordAt(data, 1)];
  if (from === undefined || to === undefined || tokenId === undefined || quantity === undefined)
    return undefined;
  const transfer = { tokenId, from: accountOf(from), to: accountOf(to), quantity };
  return { kind: "moved", standard: "ERC1155", transfers: [transfer] };
}

function decodeTransferBatch({ topics: [, , from, to], data }: ChainLog): TokenEvent | undefined {
  if (from === undefined || to === undefined) return undefined;
  const [ids, quantities] = [listAt(data, 0), listAt(data, 1)];
  if (ids === undefined || quantities?.length !== ids.length) return undefined;
  const transfers = ids.map((tokenId, index) => ({
    tokenId,
    from: accountOf(from),
    to: accountOf(to),
    quantity: quantities[index] ?? 0n,
  }));
  return { kind: "moved", standard: "ERC1155", transfers };
}

function decodeUri({ topics: [, tokenId] }: ChainLog): TokenEvent | undefined {
  return tokenId === undefined ? undefined : changed(BigInt(tokenId), BigInt(tokenId));
}

function decodeMetadataUpdate({ data }: ChainLog): TokenEvent | undefined {
  const tokenId = wordAt(data, 0);
  return tokenId === undefined ? undefined : changed(tokenId, tokenId);
}

function decodeBatchMetadataUpdate({ data }: ChainLog): TokenEvent | undefined {
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

/** Reads an ABI-encoded list whose offset is in a word. Undefined if the list exceeds the data. */
function listAt(data: Hex, index: number): readonly bigint[] | undefined {
  const offset = wordAt(data, index);
  if (offset === undefined || offset % 32n !== 0n || offset > BigInt(data.length)) return undefined;
  const at = Number(offset / 32n);
  const length = wordAt(data, at);
  if (length === undefined || length * 64n > BigInt(data.length)) return undefined;
  const words = Array.from({ length: Number(length) }, (_, entry) => wordAt(data, at + 1 + entry));
  return words.every((word) => word !== undefined) ? words : undefined;
}
