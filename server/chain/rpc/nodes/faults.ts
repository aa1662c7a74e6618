/** Errors of nodes. Every message may be logged: keys in the node's URL are hidden. */

/** The node returned no valid response. */
export class NodeFault extends Error {
  override readonly name: string = "NodeFault";
  /** The message without the node's URL. */
  readonly detail: string;

  constructor(detail: string, node?: string) {
    super(node === undefined ? detail : `${node}: ${detail}`);
    this.detail = detail;
  }

  /** Included in every log, unlike the messages of other errors. */
  get reason(): string {
    return this.message;
  }
}

export class ResponseTooLarge extends NodeFault {
  override readonly name = "ResponseTooLarge";
}

export class WrongChain extends NodeFault {
  override readonly name = "WrongChain";
}

export class AllNodesFailed extends NodeFault {
  override readonly name = "AllNodesFailed";
  readonly areAllOnWrongChain: boolean;

  constructor(faults: readonly unknown[]) {
    super(faults.map((fault) => (fault instanceof Error ? fault.message : String(fault))).join("; "));
    this.areAllOnWrongChain = faults.every((fault) => fault instanceof WrongChain);
  }
}

export interface RpcErrorParts {
  readonly code: number;
  readonly detail: string;
  readonly data: unknown;
  /** Status of the HTTP response. */
  readonly status: number;
  /** The node's URL without secrets. */
  readonly node: string;
}

/** The error object of a JSON-RPC response: a reverted call, a provider's limit, or an error of the node. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  readonly detail: string;
  readonly data: unknown;
  readonly status: number;

  constructor({ code, detail, data, status, node }: RpcErrorParts) {
    super(`${node}: ${status === 200 ? "" : `HTTP ${status}, `}error ${code}: ${detail}`);
    this.code = code;
    this.detail = detail;
    this.data = data;
    this.status = status;
  }

  get reason(): string {
    return this.message;
  }
}
