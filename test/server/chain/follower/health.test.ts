import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DatabaseFault } from "../../../../server/base/storage/fault.ts";
import { failureText, Health } from "../../../../server/chain/follower/health.ts";
import { BlockNotFound, InvalidResponse } from "../../../../server/chain/follower/source.ts";
import { NodeFault, NodeRpcError } from "../../../../server/chain/rpc/nodes/faults.ts";

const node = "https://rpc.example/v2/[redacted]";
const rpcError = new NodeRpcError({ code: -32_005, detail: "no quota", data: undefined, status: 200, node });
const rejected = Object.assign(new Error("the table is full"), { code: "P0001" });

test.each<[thrown: unknown, text: string]>([
  [rpcError, `nodes: ${node}: error -32005: no quota`],
  [new NodeFault("HTTP 503", node), `nodes: ${node}: HTTP 503`],
  [new BlockNotFound("the node does not have the block"), "nodes: the node does not have the block"],
  [new InvalidResponse("it returned a different block"), "nodes: it returned a different block"],
  [new DatabaseFault("the database's disk is full"), "database: the database's disk is full"],
  [rejected, "database: the table is full"],
  [new TypeError("x is undefined"), "internal error, TypeError: x is undefined"],
  [Object.assign(new Error("no route"), { code: "EHOSTUNREACH" }), "internal error, Error: no route"],
  ["text", "internal error: thrown: string"],
  [
    new Error("at https://user:pass@rpc.example/v2/0123456789abcdef0123?key=1"),
    expect.not.stringMatching(/pass|0123/),
  ],
  [new Error("first\nsecond\0\u001b[31m"), "internal error, Error: first second [31m"],
])("describes %o", (thrown, text) => {
  expect(failureText(thrown)).toEqual(text);
});

test.each([
  [299, 299],
  [300, 300],
  [301, 300],
])("a failure of %i characters is reported with %i", (given, reported) => {
  const prefix = "database: ";
  const text = failureText(new DatabaseFault("x".repeat(given - prefix.length)));
  expect(text).toHaveLength(reported);
  expect(text.endsWith("…")).toBe(given > 300);
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a failure is reported from five seconds on, with the time of the first and the words of the last", () => {
  const health = new Health();
  expect(health).toMatchObject({ isHealthy: false, failure: undefined });
  health.failed(new DatabaseFault("first"));
  vi.advanceTimersByTime(4_999);
  health.failed(new DatabaseFault("last"));
  expect(health).toMatchObject({ isHealthy: false, failure: undefined });
  vi.advanceTimersByTime(1);
  expect(health).toMatchObject({ isHealthy: false, failure: { seconds: 5, text: "database: last" } });
  health.succeeded();
  expect(health).toMatchObject({ isHealthy: true, failure: undefined });
  health.failed(new DatabaseFault("again"));
  vi.advanceTimersByTime(4_999);
  expect(health.failure).toBeUndefined();
  vi.advanceTimersByTime(1);
  health.reset();
  expect(health).toMatchObject({ isHealthy: false, failure: undefined });
});
