/** Errors of nodes. Every message may be logged: keys in the node's URL are hidden. */
import { readRetryAfter } from "ridlkit-runtime/time";

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
        ((fault instanceof NodeFault || fault instanceof NodeRpcError) && fault.refusal !== undefined),
    );
  }
}

interface RpcErrorParts {
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
export class NodeRpcError extends Error {
  override readonly name = "NodeRpcError";
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

/** Whether the node refuses requests for now. */
export function isRefusal(
  err: unknown,
): err is { readonly refusal: NonNullable<NodeFault["refusal"]>; readonly reason: string } {
  return (err instanceof NodeFault || err instanceof NodeRpcError) && err.refusal !== undefined;
}

/** What a failed response reports, as one clause: `HTTP 429: Too Many Requests`. */
export function describeFailure({
  status,
  code,
  detail,
}: {
  readonly status: number;
  /** Code of a JSON-RPC error. */
  readonly code?: number;
  readonly detail: string;
}): string {
  const isOk = status >= 200 && status < 300;
  const numbers = [
    ...(isOk ? [] : [`HTTP ${status}`]),
    ...(code === undefined || (!isOk && code === status) ? [] : [`error ${code}`]),
  ];
  return `${numbers.join(", ")}: ${withoutNumber(detail, isOk ? code : status)}`;
}

/** Removes a number that providers repeat at the beginning of their message: `429 Too Many Requests`, `HTTP error 429: …`. */
function withoutNumber(detail: string, number: number | undefined): string {
  const pattern = new RegExp(`^(?:(?:http|error|status|code)[\\s:/]*)*${number}\\b[\\s:,.-]*`, "i");
  const rest = detail.replace(pattern, "");
  return rest === "" ? detail : rest;
}

/* Recognizes that a node, or its provider, refuses requests for now, and reads how long. */

export interface Refusal {
  /** Undefined if the response does not say how long to wait. */
  readonly retryAfterMs: number | undefined;
}

interface RefusalSource {
  readonly status: number;
  /** The header `Retry-After`. */
  readonly retryAfter: string | null;
  readonly code?: number | undefined;
  readonly detail: string;
  readonly data?: unknown;
}

/** Limit exceeded (EIP-1474), and codes of Alchemy, Infura, and nodes of the OP stack. */
const limitCodes: ReadonlySet<number | undefined> = new Set([-32_005, 429, -32_029, -32_016, -32_097]);

/** Errors about too many requests, not too many logs. */
export const rateLimitPattern: RegExp =
  /too many requests|rate limit|request rate|request count|requests? per second|per second|429|capacity|credits|quota/i;

/** Messages of the same codes about the size of a response. */
const resultPattern = /results|logs|range|response size/i;

/** The message of a revert is text of the contract, so it is never a refusal. */
const revertPattern = /revert/i;

export function readRefusal(source: RefusalSource): Refusal | undefined {
  const { status, retryAfter, code, detail, data } = source;
  const isRefused =
    status === 429 ||
    (status === 503 && retryAfter !== null) ||
    (code !== undefined &&
      code !== 3 &&
      !revertPattern.test(detail) &&
      (rateLimitPattern.test(detail) || (limitCodes.has(code) && !resultPattern.test(detail))));
  if (!isRefused) return undefined;
  return { retryAfterMs: readRetryAfter(retryAfter ?? "") ?? dataMs(data) };
}

/** Where providers put the time: `{ "rate": { "backoff_seconds": 30 } }`, `{ "try_again_in": "605.4ms" }`, `{ "retry_after": 2 }`. */
function dataMs(data: unknown): number | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  const { rate, try_again_in, backoff_seconds, retry_after, retryAfter } = data as Readonly<
    Record<string, unknown>
  >;
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*(ms|s)$/.exec(String(try_again_in)) ?? [];
  if (number !== undefined) return Number(number) * (unit === "s" ? 1_000 : 1);
  const seconds = [backoff_seconds, retry_after, retryAfter].find(
    (value) => Number.isFinite(Number(value)) && value !== "" && typeof value !== "object",
  );
  return seconds === undefined ? dataMs(rate) : Math.max(0, Number(seconds) * 1_000);
}
