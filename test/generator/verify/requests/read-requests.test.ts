import { expect, test } from "vitest";
import { readRequests } from "../../../../generator/verify/requests/routed-request.ts";

test.each([
  [1_999, ["GET", "QUERY"]],
  [2_000, ["GET", "QUERY"]],
  [2_001, ["QUERY"]],
])("a read whose path and query have %i bytes is requested by %j", (length, verbs) => {
  const rest = "/rpc/Shop/Find?q=%7B%22text%22%3A%22%22%7D".length;
  const requests = readRequests("/rpc/Shop/Find", { text: "x".repeat(length - rest) });
  expect(requests.map(({ verb }) => verb)).toEqual(verbs);
  if (verbs.includes("GET")) expect(requests[0]?.path.length).toBe(length);
});
