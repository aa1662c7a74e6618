/** Which webhook deliveries share a row. */
import { expect, test } from "vitest";
import { canReplay, groupDeliveries } from "../../../../server/host/sandbox-page/page/delivery-groups.ts";
import type { LiveDelivery } from "../../../../server/host/sandbox-page/snapshot.ts";

const delivery = (sequence: number, different: Partial<LiveDelivery> = {}): LiveDelivery => ({
  chainId: 31_337,
  sequence,
  listenerId: 1,
  listener: "demo",
  url: "http://127.0.0.1/",
  type: "BLOCK_ADDED",
  block: 4,
  event: "Transfer(address,address,uint256)",
  state: "accepted",
  attempts: [],
  dueAt: null,
  ...different,
});

const sequences = (deliveries: readonly LiveDelivery[]) =>
  groupDeliveries(deliveries).map((group) => group.map(({ sequence }) => sequence));

test("neighbors of one block, listener, event and state do, in their order", () => {
  expect(sequences([delivery(9, { block: 5 }), delivery(8), delivery(7), delivery(6)])).toEqual([
    [9],
    [8, 7, 6],
  ]);
  expect(sequences([])).toEqual([]);
});

test.each([
  { chainId: 1 },
  { listenerId: 2 },
  { block: 5 },
  { type: "BLOCK_REMOVED" },
  { event: "Approval(address,address,uint256)" },
  { state: "waiting" },
])("others do not: %j", (different) => {
  expect(sequences([delivery(3), delivery(2, different), delivery(1)])).toEqual([[3], [2], [1]]);
});

test.each([
  ["held", false],
  ["waiting", false],
  ["dropped", false],
  ["accepted", true],
  ["failed", true],
] as const)("a delivery that is %s can be replayed: %s", (state, expected) => {
  expect(canReplay({ state })).toBe(expected);
});
