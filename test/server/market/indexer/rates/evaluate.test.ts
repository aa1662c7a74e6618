import { describe, expect, test } from "vitest";
import type { FeedSource, PoolSource } from "../../../../../server/chain/networks/rate-sources.ts";
import type { Hex } from "../../../../../server/chain/rpc/chain.ts";
import { evaluateFeed, evaluatePool } from "../../../../../server/market/indexer/rates/evaluate.ts";
import { readIntervalMs } from "../../../../../server/market/indexer/rates/rate-reader.ts";

const words = (...numbers: readonly bigint[]): Hex =>
  `0x${numbers.map((number) => BigInt.asUintN(256, number).toString(16).padStart(64, "0")).join("")}`;
const now = 1_800_000_000;
const feed: FeedSource = { kind: "feed", address: "0x", maxAgeSeconds: 3_600 };
const round = (answer: bigint, updatedAt = now): Hex => words(1n, answer, 0n, BigInt(updatedAt), 1n);

test("sources are read twice a minute", () => {
  expect(readIntervalMs).toBe(30_000);
});

describe("a feed result", () => {
  const eight = words(8n);
  test.each([
    ["in whole", round(200_050_000_000n), eight, "ETH / USD", { rate: "2000.5", reportedAt: now }],
    [
      "as old as is allowed",
      round(1n, now - 3_600),
      eight,
      "",
      { rate: "0.00000001", reportedAt: now - 3_600 },
    ],
    [
      "too old",
      round(1n, now - 3_601),
      eight,
      "",
      { reason: "its price is 3601 seconds old, at most 3600 are allowed" },
    ],
    [
      "of no time",
      round(1n, 0),
      eight,
      "",
      { reason: `its price is ${now} seconds old, at most 3600 are allowed` },
    ],
    [
      "from a clock before ours",
      round(1n, now + 300),
      eight,
      "",
      { rate: "0.00000001", reportedAt: now + 300 },
    ],
    ["from the future", round(1n, now + 301), eight, "", { reason: "its price is from the future" }],
    ["of nothing", round(0n), eight, "", { reason: "its price is 0" }],
    ["below nothing", round(-5n), eight, "", { reason: "its price is -5" }],
    [
      "in another coin",
      round(1n),
      eight,
      "ETH / BTC",
      { reason: 'its description is "ETH / BTC", which is not a price in USD' },
    ],
    ["above all", round(2n ** 200n), eight, "", { reason: "its rate is too high: expected less than 10^18" }],
    [
      "at the most",
      round(10n ** 18n),
      words(0n),
      "",
      { reason: "its rate is too high: expected less than 10^18" },
    ],
    [
      "below the most",
      round(10n ** 18n - 1n),
      words(0n),
      "",
      { rate: "999999999999999999", reportedAt: now },
    ],
    ["of 36 digits", round(1n), words(36n), "", { rate: `0.${"0".repeat(35)}1`, reportedAt: now }],
    ["of 37 digits", round(1n), words(37n), "", { reason: "it does not respond like a price feed" }],
    [
      "with odd digits",
      round(1n),
      words(2n ** 100n),
      "",
      { reason: "it does not respond like a price feed" },
    ],
    [
      "in dollars of a name with blanks",
      round(1n),
      eight,
      " BTC/usd ",
      { rate: "0.00000001", reportedAt: now },
    ],
    [
      "in a coin whose name ends like the dollar's",
      round(1n),
      eight,
      "ETH / CUSD",
      { reason: 'its description is "ETH / CUSD", which is not a price in USD' },
    ],
    [
      "in dollars of another kind, with a long name",
      round(1n),
      eight,
      `ETH / USD ${"x".repeat(40)}`,
      { reason: `its description is "ETH / USD ${"x".repeat(30)}", which is not a price in USD` },
    ],
    ["without its time", words(1n, 1n), eight, "", { reason: "it does not respond like a price feed" }],
    ["without decimals", round(1n), undefined, "", { reason: "it does not respond like a price feed" }],
    ["cut off", "0x1234" as Hex, eight, "", { reason: "it does not respond like a price feed" }],
    ["not there", undefined, undefined, "", { reason: "it does not respond like a price feed" }],
  ])("%s yields a rate or a reason", (_, answer, decimals, description, verdict) => {
    expect(evaluateFeed({ round: answer, decimals, description }, feed, now)).toEqual(verdict);
  });
});

describe("a pool result", () => {
  const [own, other] = [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`] as const;
  const v2: PoolSource = {
    kind: "v2",
    address: "0x",
    token: own,
    against: other,
    windowSeconds: 100,
    minUsd: 10_000,
  };
  const sides = { decimals: 18, otherDecimals: 6, otherRate: "0.999" };
  const ether = 10n ** 18n;
  const held = words(20_000n * 10n ** 6n);
  const ordered = [words(BigInt(own)), words(BigInt(other))];
  const state = words(10n * ether, 20_000n * 10n ** 6n, 0n);

  test("is the ratio of the reserves, whichever side comes first", () => {
    expect(evaluatePool({ tokens: ordered, state, held }, v2, sides, now)).toEqual({
      rate: "1998",
      reportedAt: now,
    });
    const turned = {
      tokens: [...ordered].reverse(),
      state: words(20_000n * 10n ** 6n, 10n * ether, 0n),
      held,
    };
    expect(evaluatePool(turned, v2, sides, now)).toEqual({ rate: "1998", reportedAt: now });
  });

  test("of version 3 is the mean price over the window", () => {
    const v3: PoolSource = { ...v2, kind: "v3" };
    // 1.0001^-200311 with 12 digits between the decimals is 2000 or nearly so.
    const observed = words(64n, 0n, 2n, 0n, -20_031_100n, 0n);
    const verdict = evaluatePool({ tokens: ordered, state: observed, held }, v3, sides, now);
    expect(Number("rate" in verdict ? verdict.rate : 0) / 0.999).toBeCloseTo(1.0001 ** -200_311 * 1e12, 6);
    const turned = words(64n, 0n, 2n, 0n, 20_031_100n, 0n);
    const other = evaluatePool({ tokens: [...ordered].reverse(), state: turned, held }, v3, sides, now);
    expect(other).toEqual(verdict);
  });

  test("with one unit on a side has a price", () => {
    const least = { tokens: ordered, state: words(1n, 1n, 0n), held };
    expect(evaluatePool(least, v2, { decimals: 0, otherDecimals: 0, otherRate: "1" }, now)).toEqual({
      rate: "1",
      reportedAt: now,
    });
  });

  test.each([
    // A third has as many digits as a price is computed with; those of a rate are limited to 36.
    ["1", 0, `0.${"3".repeat(18)}`],
    ["1", 18, `0.${"3".repeat(18)}`],
    ["0.5", 18, `0.1${"6".repeat(17)}5`.slice(0, 20)],
  ])("of 3 to 1, at a rate of %s with %i decimals, is worth about %s", (otherRate, otherDecimals, rate) => {
    const answers = { tokens: ordered, state: words(3n, 1n, 0n), held: words(10n ** 30n) };
    const verdict = evaluatePool(answers, v2, { decimals: otherDecimals, otherDecimals, otherRate }, now);
    expect("rate" in verdict ? verdict.rate.slice(0, rate.length) : verdict).toBe(rate);
  });

  test.each([
    // 35, 36 and 37 decimals.
    [10n, 17, `0.${"0".repeat(17)}1`],
    [10n ** 18n, 18, `0.${"0".repeat(35)}1`],
    [10n ** 17n, 19, `0.${"0".repeat(35)}1`],
    [10n ** 18n, 19, { reason: "its rate is 0" }],
  ])("of %s to 1 with %i decimals on the other side has the rate %j", (reserve, otherDecimals, rate) => {
    const answers = { tokens: ordered, state: words(reserve, 1n, 0n), held: words(10n ** 40n) };
    const verdict = evaluatePool(answers, v2, { decimals: 0, otherDecimals, otherRate: "1" }, now);
    expect(verdict).toEqual(typeof rate === "string" ? { rate, reportedAt: now } : rate);
  });

  test.each([
    ["is negative in the first observation", 0, -100, 0],
    ["is the difference of two observations", 500, 600, 1],
  ])("of version 3, the mean tick %s", (_, before, after, tick) => {
    const v3: PoolSource = { ...v2, kind: "v3" };
    const observed = words(64n, 0n, 2n, BigInt(before), BigInt(after), 0n);
    const even = { decimals: 6, otherDecimals: 6, otherRate: "1" };
    const verdict = evaluatePool({ tokens: ordered, state: observed, held }, v3, even, now);
    expect(Number("rate" in verdict ? verdict.rate : 0)).toBeCloseTo(1.0001 ** (tick || -1), 12);
  });

  test.each([
    [460_540, false],
    [460_541, true],
  ])("of version 3 at tick %i is out of range: %s", (tick, isOut) => {
    const v3: PoolSource = { ...v2, kind: "v3" };
    const observed = words(64n, 0n, 2n, 0n, BigInt(tick * 100), 0n);
    const even = { decimals: 6, otherDecimals: 6, otherRate: "1" };
    const verdict = evaluatePool({ tokens: ordered, state: observed, held }, v3, even, now);
    expect("reason" in verdict && verdict.reason === "its price is out of range").toBe(isOut);
  });

  test("of version 3 without its second observation has no rate", () => {
    const v3: PoolSource = { ...v2, kind: "v3" };
    const verdict = evaluatePool({ tokens: ordered, state: words(64n, 0n, 2n, 0n), held }, v3, sides, now);
    expect(verdict).toEqual({ reason: "it has not observed the last 100 seconds" });
  });

  test.each([
    [10_000n * 10n ** 6n - 1n, false],
    [10_000n * 10n ** 6n, true],
    [10_000n * 10n ** 6n + 1n, true],
  ])(
    "that holds %s units of a dollar with 6 decimals is accepted if 10,000 dollars suffice: %s",
    (units, isAccepted) => {
      const answers = { tokens: ordered, state, held: words(units) };
      const verdict = evaluatePool(answers, v2, { ...sides, otherRate: "1" }, now);
      expect("rate" in verdict).toBe(isAccepted);
    },
  );

  test.each([
    ["another pair", { tokens: [words(1n), words(2n)], state, held }, /it is not a pool of/],
    ["another second token", { tokens: [words(BigInt(own)), words(2n)], state, held }, /it is not a pool of/],
    [
      "another first token",
      { tokens: [words(2n), words(BigInt(other))], state, held },
      /it is not a pool of/,
    ],
    ["another token behind", { tokens: [words(2n), words(BigInt(own))], state, held }, /it is not a pool of/],
    [
      "another token in front",
      { tokens: [words(BigInt(other)), words(2n)], state, held },
      /it is not a pool of/,
    ],
    [
      "no balance",
      { tokens: ordered, state, held: undefined },
      /its balance of the other currency is unknown/,
    ],
    ["nothing on the other side", { tokens: ordered, state: words(5n, 0n, 0n), held }, /it is empty/],
    ["one reserve", { tokens: ordered, state: words(5n), held }, /does not respond like a version 2 pool/],
    ["no pool", { tokens: [undefined, undefined], state: undefined, held: undefined }, /it is not a pool of/],
    ["little", { tokens: ordered, state, held: words(1n) }, /holds less than 10000 dollars/],
    ["nothing on one side", { tokens: ordered, state: words(0n, 5n, 0n), held }, /it is empty/],
    [
      "half an answer",
      { tokens: ordered, state: "0x12" as Hex, held },
      /does not respond like a version 2 pool/,
    ],
  ])("with %s yields no rate", (_, answers, reason) => {
    const verdict = evaluatePool(answers, v2, sides, now);
    expect("reason" in verdict ? verdict.reason : verdict).toMatch(reason);
    if (reason.source.includes("answer"))
      expect(evaluatePool(answers, { ...v2, kind: "v3" }, sides, now)).toEqual({
        reason: "it has not observed the last 100 seconds",
      });
  });
});
