/** Errors of nodes. Every message may be logged: keys in the node's URL are hidden. */
import { describeFailure } from "./failure-text.ts";
import type { Refusal } from "./refusal.ts";

/** The node returned no valid response. */
export class NodeFault extends Error {
  override readonly name: string = "NodeFault";
  /** The message without the node's URL. */
  readonly detail: string;
  /** Set if the node refuses requests for now. */
  readonly refusal: Refusal | undefined;

  constructor(detail: string, node?: string, refusal?: Refusal) {
    super(node === undefined ? detail : `${node}: ${detail}`);
    this.detail = detail;
    this.refusal = refusal;
  }

  /** Included in every log, unlike the messages of other errors. */
  get reason(): string {
    return this.message;
  }
}

/** The node responded, but not with a valid response: with an error, or with something else. */
export class ErrorResponse extends NodeFault {
  /** Whether the response is about the request. Otherwise, it may be that of a gateway whose node is down. */
  readonly isAboutRequest: boolean;

  constructor(detail: string, node?: string, refusal?: Refusal, isAboutRequest = false) {
    super(detail, node, refusal);
    this.isAboutRequest = isAboutRequest;
  }
}

export class NodeTimeout extends NodeFault {
  override readonly name = "NodeTimeout";
}

export class ResponseTooLarge extends NodeFault {
  override readonly name = "ResponseTooLarge";
}

export class WrongChain extends NodeFault {
  override readonly name = "WrongChain";
}

/** The budget of the node did not allow the request in time. Nothing was sent. */
export class BudgetExhausted extends NodeFault {
  override readonly name = "BudgetExhausted";
}

export class AllNodesFailed extends NodeFault {
  override readonly name = "AllNodesFailed";
  readonly areAllOnWrongChain: boolean;
  /** Whether a node may respond as soon as its limit allows another request. */
  readonly isAtLimit: boolean;
  /** Of the last attempt at each node. */
  readonly faults: readonly unknown[];

  constructor(faults: readonly unknown[]) {
    super(faults.map((fault) => (fault instanceof Error ? fault.message : String(fault))).join("; "));
    this.faults = faults;
    this.areAllOnWrongChain = faults.every((fault) => fault instanceof WrongChain);
    this.isAtLimit = faults.some(
      (fault) =>
        fault instanceof BudgetExhausted ||
        ((fault instanceof NodeFault || fault instanceof RpcError) && fault.refusal !== undefined),
    );
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
  readonly refusal?: Refusal | undefined;
}

/** The error object of a JSON-RPC response: a reverted call, a provider's limit, or an error of the node. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  readonly detail: string;
  readonly data: unknown;
  readonly status: number;
  /** Set if the node refuses requests for now. */
  readonly refusal: Refusal | undefined;

  constructor({ code, detail, data, status, node, refusal }: RpcErrorParts) {
    super(`${node}: ${describeFailure({ status, code, detail })}`);
    this.code = code;
    this.detail = detail;
    this.data = data;
    this.status = status;
    this.refusal = refusal;
  }

  get reason(): string {
    return this.message;
  }
}

/** No node has the block: it left the chain, or the nodes have not seen it yet. */
export class BlockNotFound extends Error {
  override readonly name = "BlockNotFound";
}

/** A response that cannot be correct. */
export class InvalidResponse extends Error {
  override readonly name = "InvalidResponse";
}

/** A response that contradicts a hash: the node lies or is broken. */
export class FalseResponse extends InvalidResponse {}

/** Whether the node refuses requests for now. */
export function isRefusal(
  err: unknown,
): err is { readonly refusal: NonNullable<NodeFault["refusal"]>; readonly reason: string } {
  return (err instanceof NodeFault || err instanceof RpcError) && err.refusal !== undefined;
}
