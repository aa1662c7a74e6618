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
  readonly signal?: AbortSignal | undefined;
}

export interface Chain {
  /** `eth_call` at the latest block: what the contract answers, `0x` where there is none. Throws CallReverted and ChainFailure. */
  call(request: CallRequest): Promise<Hex>;
  /** The same for a contract that is brought along, so that one round trip can do what takes a contract many calls. */
  callCode(request: CodeCallRequest): Promise<Hex>;
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

/** No node of the chain answered in time, or none is configured. The message may be shown to callers: it holds no address of a node. */
export class ChainFailure extends Error {
  override readonly name = "ChainFailure";
}
