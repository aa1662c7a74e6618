/** What can be wrong with a node. Every message may be logged: keys in the node's address are hidden in it. */

/** The node gave no answer that can be believed. */
export class NodeFault extends Error {
  override readonly name: string = "NodeFault";
  /** Without the node's address. */
  readonly detail: string;

  constructor(detail: string, node?: string) {
    super(node === undefined ? detail : `${node}: ${detail}`);
    this.detail = detail;
  }

  /** Told in every log, unlike the messages of other errors. */
  get reason(): string {
    return this.message;
  }
}

/** The node responded with more bytes than are read. */
export class ResponseTooLarge extends NodeFault {
  override readonly name = "ReplyTooLarge";
}

/** The node says that it is a node of another chain. */
export class WrongChain extends NodeFault {
  override readonly name = "WrongChain";
}

/** No node of a chain gave an answer that can be believed. */
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
  /** Of the HTTP response. */
  readonly status: number;
  /** The node, as it may be shown. */
  readonly node: string;
}

/** The error object of a JSON-RPC response: a contract that reverted, a limit of the provider, a fault of the node. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  /** As the node wrote them. */
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
