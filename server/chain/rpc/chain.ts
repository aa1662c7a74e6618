/** What the rooms of this host may ask of a chain. */

export type Hex = `0x${string}`;

export interface CallRequest {
  /** Left out: `data` is creation code, and the answer what it leaves when it has run. */
  readonly to?: Hex;
  readonly data: Hex;
  /** Who seems to call; nothing is signed. */
  readonly from?: Hex;
  readonly signal?: AbortSignal | undefined;
}

export interface CodeCallRequest {
  /** Creation code of a contract that lives for this call alone. */
  readonly code: Hex;
  readonly data: Hex;
  /** The answer may be one that somebody else was given at the same block; what one user has just changed is seen a block later. */
  readonly isShared?: boolean;
  /** As of which block; one that nodes still know. Undefined: the latest. */
  readonly blockHash?: Hex | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ManyCallsRequest {
  readonly calls: readonly { readonly to: Hex; readonly data: Hex }[];
  /** Of one contract's answer. Default 4 KiB: a name or an address of a picture, of which a hundred fit into one answer of a node. */
  readonly maxResultBytes?: number;
  /** As of which block; one that nodes still know. Undefined: the latest. */
  readonly blockHash?: Hex | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Chain {
  /** `eth_call` at the latest block: what the contract answers, `0x` where there is none. Throws CallReverted, ChainFailure and ChainBusy. */
  call(request: CallRequest): Promise<Hex>;
  /** The same for a contract that is brought along, so that one round trip can do what takes a contract many calls. */
  callCode(request: CodeCallRequest): Promise<Hex>;
  /**
   * Reads many contracts, a hundred in one round trip: what each answers, `0x` where there is none, and undefined for one that did
   * not carry out its call or answered too much. None of them harms the others. Throws ChainFailure.
   */
  callMany(request: ManyCallsRequest): Promise<readonly (Hex | undefined)[]>;
  /** Another EVM method of the node, with its parameters as they go over the wire. Throws ChainFailure. */
  request(method: string, params: readonly unknown[], signal?: AbortSignal): Promise<unknown>;
}

/** The contract refused, ran out of gas, did what no contract may, or answered more than is read. The chain is fine. */
export class CallReverted extends Error {
  override readonly name = "CallReverted";
  /** What it gave as its reason: `0x08c379a0…` for a Solidity `require`. */
  readonly data: Hex;

  constructor(data: Hex, cause?: unknown) {
    super(`the contract did not carry out the call (${data.slice(0, 74)})`, { cause });
    this.data = data;
  }
}

/** No node of the chain answered in time. The message may be shown to callers: it holds no address of a node. */
export class ChainFailure extends Error {
  override readonly name: string = "ChainFailure";
}

/** No node of the chain is configured: asking again is of no use. */
export class NoNodes extends ChainFailure {
  override readonly name = "NoNodes";
}

/** So many questions wait for the nodes of the chain that one more would only wait as well. Nothing was asked. */
export class ChainBusy extends Error {
  override readonly name = "ChainBusy";
}
