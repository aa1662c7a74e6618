/** Orders of Seaport 1.6, as its contract has them. Addresses and hashes in lower case. */

export interface Item {
  readonly itemType: number;
  readonly token: string;
  /** With criteria: the root of a tree of numbers, or 0 for any. */
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
  /** Seconds since 1970: the first at which it can be filled, and the first at which it no longer can. */
  readonly startTime: bigint;
  readonly endTime: bigint;
  readonly zoneHash: string;
  readonly salt: bigint;
  /** Zero: Seaport itself moves what the offerer gives. */
  readonly conduitKey: string;
  readonly totalOriginalConsiderationItems: bigint;
}

/** What its maker has given away, for anybody to fill. */
export interface SignedOrder {
  readonly order: SeaportOrder;
  /** Of the maker, at the time: a later one makes it void. */
  readonly counter: bigint;
  /** Empty where the chain has accepted the order already. */
  readonly signature: string;
}
