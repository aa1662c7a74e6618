/** The interface through which the host's modules call a chain. */

export type Hex = `0x${string}`;

export interface CallRequest {
  /** If omitted, `data` is creation code, and the result is what that code returns. */
  readonly to?: Hex;
  readonly data: Hex;
  /** The simulated caller. Nothing is signed. */
  readonly from?: Hex;
  readonly signal?: AbortSignal | undefined;
}

export interface CodeCallRequest {
  /** Creation code of a contract that exists for this call only. */
  readonly code: Hex;
  readonly data: Hex;
  /** Whether the result may be shared with equal calls at the same block. A user's own change is then visible one block later. */
  readonly isShared?: boolean;
  /** The block to read at, which nodes must still have. Undefined: the latest. */
  readonly blockHash?: Hex | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ManyCallsRequest {
  readonly calls: readonly { readonly to: Hex; readonly data: Hex }[];
  /**
   * Limit for the result of one contract; longer results are cut. Default 4 KiB, enough for a name or the URL of an image; a
   * hundred of these fit into one response of a node.
   */
  readonly maxResultBytes?: number;
  /** The block to read at, which nodes must still have. Undefined: the latest. */
  readonly blockHash?: Hex | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Chain {
  /** `eth_call` at the latest block. Returns `0x` if there is no contract. Throws CallReverted, ChainFailure and ChainBusy. */
  call(request: CallRequest): Promise<Hex>;
  /** Like `call`, for a contract that is sent along, so that one round trip replaces many calls. */
  callCode(request: CodeCallRequest): Promise<Hex>;
  /**
   * Calls many contracts, a hundred per round trip. Returns each result, `0x` where there is no contract, and undefined for a
   * call that reverted. One call cannot make the others fail. Throws ChainFailure.
   */
  callMany(request: ManyCallsRequest): Promise<readonly (Hex | undefined)[]>;
  /** Calls any JSON-RPC method, with its parameters in wire form. Throws ChainFailure. */
  request(method: string, params: readonly unknown[], signal?: AbortSignal): Promise<unknown>;
}

/**
 * The call failed in the contract: it reverted, ran out of gas, executed an invalid operation, or returned more than is read.
 * The nodes are working.
 */
export class CallReverted extends Error {
  override readonly name = "CallReverted";
  /** The encoded reason: `0x08c379a0…` for a Solidity `require`. */
  readonly data: Hex;

  constructor(data: Hex, cause?: unknown) {
    super(`the contract call failed (${data.slice(0, 74)})`, { cause });
    this.data = data;
  }
}

/** Returns the result of a call, or `otherwise` if the call failed in the contract. */
export async function unlessReverted<Result>(call: Promise<Result>, otherwise: Result): Promise<Result> {
  try {
    return await call;
  } catch (err) {
    if (err instanceof CallReverted) return otherwise;
    throw err;
  }
}

/** The chain could not be read. The message may be shown to callers: it contains no URL of a node. */
export class ChainFailure extends Error {
  override readonly name: string = "ChainFailure";
}

/** No node of the chain responded in time. The same call may succeed later. */
export class ChainUnavailable extends ChainFailure {
  override readonly name = "ChainUnavailable";
}

/** No node of the chain is configured, so a retry is pointless. */
export class NoNodes extends ChainFailure {
  override readonly name = "NoNodes";
}

/** Too many requests wait for the chain's nodes. Nothing was sent. */
export class ChainBusy extends Error {
  override readonly name = "ChainBusy";
}
