import type { ChainLog } from "../../../chain/follower/derive/blocks.ts";
import type { Hex } from "../../../chain/rpc/chain.ts";

/** Selects facts about one contract. An undefined field matches any value. */
export interface StaleFacts {
  readonly kind: "holding" | "royalty";
  readonly contract: string;
  readonly tokenId?: bigint;
  readonly holder?: string;
  readonly spender?: string;
}

// Transfer(address,address,uint256): ERC-20, ERC-721
const transfer: Hex = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
// Approval(address,address,uint256): ERC-20, ERC-721
const approval: Hex = "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925";
// ApprovalForAll(address,address,bool): ERC-721, ERC-1155
const approvalForAll: Hex = "0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31";
// TransferSingle(address,address,address,uint256,uint256): ERC-1155
const transferSingle: Hex = "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62";
// TransferBatch(address,address,address,uint256[],uint256[]): ERC-1155
const transferBatch: Hex = "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb";
// CustomRoyaltyChanged(address,address,uint96): the Sequence marketplace
const royaltyChanged: Hex = "0x60567f9d30ab22ef3cd7557f56b897c677c80a85c8673a4a5c26eb9349ef8c60";

export const staleFactTopics: ReadonlySet<Hex> = new Set([
  transfer,
  approval,
  approvalForAll,
  transferSingle,
  transferBatch,
  royaltyChanged,
]);

/** Returns an empty list for malformed events. */
export function staleFactsOf({ address, topics, data }: ChainLog): readonly StaleFacts[] {
  const [topic, ...indexed] = topics;
  const dataWords = data.slice(2).match(/.{64}/g) ?? [];
  const words = [...indexed.map((word) => word.slice(2)), ...dataWords];
  const [first, second, third] = words;
  if (first === undefined) return [];
  const holding = { kind: "holding", contract: address } as const;
  const isErc721 = indexed.length === 3 && third !== undefined;
  switch (topic) {
    case transfer:
      if (isErc721) return [{ ...holding, tokenId: numberOf(third) }];
      return accountsOf(first, second).map((holder) => ({ ...holding, holder }));
    case approval:
      if (isErc721) return [{ ...holding, tokenId: numberOf(third) }];
      return [{ ...holding, holder: accountOf(first), spender: accountOf(second) }];
    case approvalForAll:
      return [{ ...holding, holder: accountOf(first), spender: accountOf(second) }];
    case transferSingle:
    case transferBatch: {
      const ids = topic === transferSingle ? words.slice(3, 4) : firstList(dataWords);
      return accountsOf(second, third).flatMap((holder): readonly StaleFacts[] =>
        ids === undefined
          ? [{ ...holding, holder }]
          : ids.map((id) => ({ ...holding, holder, tokenId: numberOf(id) })),
      );
    }
    case royaltyChanged:
      return [{ kind: "royalty", contract: accountOf(first), spender: address }];
    default:
      return [];
  }
}

/** Omits the zero address, which stands for minting and burning and has no orders. */
function accountsOf(...words: readonly (string | undefined)[]): readonly string[] {
  return words.filter((word) => word !== undefined && !/^0+$/.test(word)).map(accountOf);
}

function accountOf(word: string | undefined): string {
  return `0x${(word ?? "").slice(24)}`;
}

function numberOf(word: string): bigint {
  return BigInt(`0x${word}`);
}

/** Undefined if the list is missing or empty; any token may then be affected. */
function firstList(words: readonly string[]): readonly string[] | undefined {
  const start = Number(numberOf(words[0] ?? "0")) / 32;
  const length = Number(numberOf(words[start] ?? "0"));
  const list = words.slice(start + 1, start + 1 + length);
  return list.length === length && length > 0 ? list : undefined;
}
