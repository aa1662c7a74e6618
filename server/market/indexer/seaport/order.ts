/** Orders of Seaport 1.6, as its contract defines them. Addresses and hashes are lower case. */

export interface Item {
  readonly itemType: number;
  readonly token: string;
  /** With criteria: the root of a Merkle tree of token ids, or 0 for any token. */
  readonly identifier: bigint;
  readonly startAmount: bigint;
  readonly endAmount: bigint;
}

export interface ReceivedItem extends Item {
  readonly recipient: string;
}

export const itemTypes = {
  native: 0,
  erc20: 1,
  erc721: 2,
  erc1155: 3,
  erc721WithCriteria: 4,
  erc1155WithCriteria: 5,
} as const;

export const orderTypes = {
  fullOpen: 0,
  partialOpen: 1,
  fullRestricted: 2,
  partialRestricted: 3,
  contract: 4,
} as const;

export interface SeaportOrder {
  readonly offerer: string;
  readonly zone: string;
  readonly offer: readonly Item[];
  readonly consideration: readonly ReceivedItem[];
  readonly orderType: number;
  /** Seconds since 1970. The order can be filled from `startTime` until just before `endTime`. */
  readonly startTime: bigint;
  readonly endTime: bigint;
  readonly zoneHash: string;
  readonly salt: bigint;
  /** Zero if Seaport itself moves the offerer's tokens. */
  readonly conduitKey: string;
  readonly totalOriginalConsiderationItems: bigint;
}

/** An order that its maker has signed, for anybody to fill. */
export interface SignedOrder {
  readonly order: SeaportOrder;
  /** Counter of the maker when signing. A later counter voids the order. */
  readonly counter: bigint;
  /** Empty if the order is validated on the chain. */
  readonly signature: string;
}
