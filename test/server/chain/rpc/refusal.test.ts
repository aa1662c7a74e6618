import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readRefusal } from "../../../../server/chain/rpc/nodes/faults.ts";

const response = { status: 200, retryAfter: null, code: undefined, detail: "" };
const now = Date.parse("2024-05-01T12:00:00Z");

beforeEach(() => {
  vi.useFakeTimers({ now });
});
afterEach(() => {
  vi.useRealTimers();
});

test.each<[string, Partial<Parameters<typeof readRefusal>[0]>, boolean]>([
  ["HTTP 429", { status: 429 }, true],
  ["HTTP 428", { status: 428 }, false],
  ["HTTP 503 with Retry-After", { status: 503, retryAfter: "1" }, true],
  ["HTTP 503", { status: 503 }, false],
  ["HTTP 500", { status: 500 }, false],
  ["limit exceeded", { code: -32_005, detail: "limit exceeded" }, true],
  ["too many results", { code: -32_005, detail: "query returned more than 10000 results" }, false],
  ["the code of Alchemy", { code: 429, detail: "exceeded its compute units" }, true],
  ["the code of nodes of the OP stack", { code: -32_016, detail: "over rate limit" }, true],
  ["a limit with a code of its own", { code: -32_090, detail: "Too many requests, retry in 10s" }, true],
  ["a fault of the node", { code: -32_603, detail: "internal error" }, false],
  ["invalid parameters", { code: -32_602, detail: "invalid argument 0" }, false],
  ["a revert", { code: 3, detail: "rate limit of the contract" }, false],
  ["a revert of geth", { code: -32_000, detail: "execution reverted: rate limit" }, false],
])("%s: %o is a refusal: %s", (_, source, isRefusal) => {
  expect(readRefusal({ ...response, ...source }) !== undefined).toBe(isRefusal);
});

test.each<[retryAfter: string | null, data: unknown, ms: number | undefined]>([
  ["2", undefined, 2_000],
  ["0.5", undefined, 500],
  ["0", undefined, 0],
  ["Wed, 01 May 2024 12:00:03 GMT", undefined, 3_000],
  ["Wed, 01 May 2024 11:59:00 GMT", undefined, 0],
  ["soon", undefined, undefined],
  ["-5", undefined, undefined],
  ["", undefined, undefined],
  [null, { rate: { backoff_seconds: 30, allowed_rps: 10 } }, 30_000],
  [null, { try_again_in: "605.4ms" }, 605.4],
  [null, { try_again_in: "1.5s" }, 1_500],
  [null, { retry_after: 2 }, 2_000],
  [null, { retryAfter: "3" }, 3_000],
  [null, { retry_after: null }, undefined],
  [null, { see: "https://provider.example" }, undefined],
  [null, "later", undefined],
  ["1", { retry_after: 9 }, 1_000],
])("of the header %j and the data %j, the wait is %s ms", (retryAfter, data, ms) => {
  expect(readRefusal({ ...response, status: 429, retryAfter, data })?.retryAfterMs).toBe(ms);
});
