import { beforeAll, describe, expect, test } from "vitest";
import { loadKeccak } from "../../../server/base/keccak.ts";
import { createEventReader, subscriptionOf } from "../../../server/webhooks/filters.ts";
import type { Filters } from "../../../server/webhooks/listener.ts";
import { Matcher, type SubscribedEvent } from "../../../server/webhooks/matching/matcher.ts";
import { seededRandom } from "../../support/random.ts";
import { isWanted, randomFilters, randomLog } from "./random-market.ts";

let read: (text: string) => SubscribedEvent;
beforeAll(async () => {
  read = createEventReader(await loadKeccak());
});

const subscription = (id: number, filters: Filters) =>
  subscriptionOf({ id, destination: "receiver.example", delivery: "head", confirmations: 1, filters }, read);

test("finds the same listeners as ethers while listeners are added and removed (seed 11)", () => {
  const random = seededRandom(11);
  const matcher = new Matcher();
  const listeners = new Map<number, Filters>();
  let matches = 0;
  for (let round = 0; round < 250; round++) {
    const id = random.below(120);
    if (random.chance(25)) {
      matcher.delete(id);
      listeners.delete(id);
    } else {
      const filters = randomFilters(random);
      matcher.set(subscription(id, filters));
      listeners.set(id, filters);
    }
    const log = randomLog(random);
    const found = matcher.match(log).map((match) => match.subscription.listenerId);
    const expected = [...listeners].filter(([, filters]) => isWanted(filters, log)).map(([each]) => each);
    expect(found.toSorted((a, b) => a - b)).toEqual(expected.toSorted((a, b) => a - b));
    matches += found.length;
  }
  expect(matches).toBeGreaterThan(150);
  for (const id of listeners.keys()) matcher.delete(id);
  expect([matcher.size, [...matcher.addresses], [...matcher.topics]]).toEqual([0, [], []]);
});

describe("a listener with more combinations than the index holds", () => {
  test("is found like any other (seed 12)", () => {
    const random = seededRandom(12);
    const filler = Array.from(
      { length: 900 },
      (_, index) => `0x${(0xd0000 + index).toString(16).padStart(40, "0")}`,
    );
    for (let round = 0; round < 100; round++) {
      const filters = randomFilters(random);
      const wide: Filters = {
        ...filters,
        contractAddresses: [...filters.contractAddresses, ...filler],
        events: [...filters.events, "A()", "B()", "C()", "D()", "E()", "F()"],
      };
      const matcher = new Matcher();
      matcher.set(subscription(1, wide));
      const log = randomLog(random);
      expect(matcher.match(log)).toHaveLength(isWanted(filters, log) ? 1 : 0);
    }
  });
});

test("data that does not fit the event matches nothing, and takes bounded time", () => {
  const matcher = new Matcher();
  const [account] = ["0x000000000000000000000000000000000000a001"];
  const text = "Sold(uint256 indexed id,address[] others)";
  const address = `0x${"c".repeat(40)}` as const;
  matcher.set(subscription(1, { contractAddresses: [address], events: [text], accounts: [account ?? ""] }));
  const { topicHash } = read(text).event;
  const topics = [topicHash, `0x${"0".repeat(64)}`] as const;
  const word = (value: bigint): string => value.toString(16).padStart(64, "0");
  for (const data of [
    "0x",
    `0x${word(32n)}`,
    `0x${word(32n)}${word(2n ** 255n)}`,
    `0x${"ff".repeat(64)}`,
  ] as const)
    expect(matcher.match({ address, topics, data })).toEqual([]);
});

test("overlapping lists take bounded time", () => {
  const matcher = new Matcher();
  const text = "Sold(address[][][][][] nested)";
  const address = `0x${"c".repeat(40)}` as const;
  matcher.set(
    subscription(1, { contractAddresses: [address], events: [text], accounts: [`0x${"a".repeat(40)}`] }),
  );
  const word = (value: number): string => value.toString(16).padStart(64, "0");
  const items = 200;
  // Each item of a list is the same inner list: 200^5 addresses in 32 kB.
  const list = (item: number): string => word(items) + word(item).repeat(items);
  const data = `0x${word(32)}${list(items * 32).repeat(4)}${list(7)}` as const;
  expect(matcher.match({ address, topics: [read(text).event.topicHash], data })).toEqual([]);
});
