/** Recognises that a node, or its provider, refuses requests for now, and reads how long. */
import { readRetryAfter } from "../../../../generator/runtime/src/time.ts";

export interface Refusal {
  /** Undefined if the response does not say how long to wait. */
  readonly retryAfterMs: number | undefined;
}

export interface RefusalSource {
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
