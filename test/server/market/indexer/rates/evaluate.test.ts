import { describe, expect, test } from "vitest";
import type { FeedSource, PoolSource } from "../../../../../server/chain/networks/rate-sources.ts";
import type { Hex } from "../../../../../server/chain/rpc/chain.ts";
import { evaluateFeed, evaluatePool } from "../../../../../server/market/indexer/rates/evaluate.ts";

const words = (...numbers: readonly bigint[]): Hex =>
  `0x${numbers.map((number) => BigInt.asUintN(256, number).toString(16).padStart(64, "0")).join("")}`;
const now = 1_800_000_000;
const feed: FeedSource = { kind: "feed", address: "0x", maxAgeSeconds: 3_600 };
const round = (answer: bigint, updatedAt = now): Hex => words(1n, answer, 0n, BigInt(updatedAt), 1n);

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
