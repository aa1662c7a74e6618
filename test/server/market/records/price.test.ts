import { describe, expect, test } from "vitest";
import { dollarsOf, dollarsText, netAmount } from "../../../../server/host/services/market-responses.ts";
import {
  readDecimal,
  round,
  times,
  withPoint,
  writeDecimal,
} from "../../../../server/market/records/currencies/currency.ts";
import { currenciesInFilter, priceBandsOf } from "../../../../server/market/records/orders/price-bands.ts";
import { inferFilter } from "../../../../server/market/records/properties/collection-filters.ts";

describe("decimals", () => {
  test.each(["0", "1", "0.5", "2000.5", "0.0000000000000020005", "115792089237316195423570985008687907853"])(
    "%s is written as it was read",
    (text) => expect(writeDecimal(readDecimal(text))).toBe(text),
  );

  test("trailing zeros are omitted", () => {
    expect(writeDecimal(readDecimal("1.500"))).toBe("1.5");
    expect(writeDecimal(readDecimal("3.000"))).toBe("3");
  });

  test("products are exact, and halves round up", () => {
    expect(writeDecimal(times(readDecimal("0.1"), readDecimal("0.2")))).toBe("0.02");
    expect(writeDecimal(round(readDecimal("0.125"), 2))).toBe("0.13");
    expect(writeDecimal(round(readDecimal("0.1249"), 2))).toBe("0.12");
    // As many decimals as a price has: those of a rate and of a currency.
    expect(writeDecimal(round(readDecimal(`0.125${"0".repeat(51)}`), 2))).toBe("0.13");
    expect(writeDecimal(round(readDecimal(`0.124${"9".repeat(51)}`), 2))).toBe("0.12");
  });
});

test.each([
  ["1500000", 6, "1.5"],
  ["0", 18, "0"],
  ["7", 0, "7"],
  ["1", 77, `0.${"0".repeat(76)}1`],
])("%s of %i decimals is %s", (amount, decimals, text) => expect(withPoint(amount, decimals)).toBe(text));

test.each([
  ["1000000", 500, "950000"],
  ["3", 2_500, "2"],
  ["7", 10_000, "0"],
  ["10000", 1, "9999"],
  ["9999", 1, "9998"],
  ["10000", 9_999, "1"],
  ["9999", 9_999, "0"],
  [String(2n ** 256n - 1n), 0, String(2n ** 256n - 1n)],
])("%s minus %i basis points is %s", (amount, bps, net) => expect(netAmount(amount, bps)).toBe(net));

test.each([
  ["1234560000", "1234.56"],
  ["1005000", "1.01"],
  ["1000000", "1"],
  ["999950", "1"],
  ["999949", "0.9999"],
  ["994999999", "995"],
  ["1004999", "1"],
  ["123456", "0.1235"],
  ["99999", "0.1"],
  ["12345", "0.01235"],
  ["1", "0.000001"],
  ["0", "0"],
])("%s of a dollar with 6 decimals is shown as %s", (amount, text) => {
  const dollar = { id: 1, address: "", decimals: 6, usdRate: "1" };
  expect(dollarsText(dollarsOf(amount, dollar))).toBe(text);
});

describe("bands", () => {
  const dollar = { id: 1, address: "usd", decimals: 6, usdRate: "1" };
  const ether = { id: 2, address: "ether", decimals: 18, usdRate: "2000.5" };
  const junk = { id: 9, address: "junk", decimals: 0 };
  const [priced, unpriced] = [[dollar, ether], [junk]];
  const all = { low: "0", high: String(2n ** 256n - 1n) };

  test("are the priced currencies if the filter names none", () => {
    expect(priceBandsOf({}, priced, unpriced)).toEqual([
      { currency: dollar, tier: 0, unit: "0.000001", ...all },
      { currency: ether, tier: 0, unit: "0.0000000000000020005", ...all },
    ]);
    expect(
      priceBandsOf({ currencies: [], prices: [], notCurrencies: ["usd"] }, priced, unpriced),
    ).toHaveLength(1);
  });

  test("include named unpriced currencies, behind all others, but not unknown ones", () => {
    expect(priceBandsOf({ currencies: ["junk", "nobody's"] }, priced, unpriced)).toEqual([
      { currency: junk, tier: 9, unit: "1", ...all },
    ]);
  });

  test("are the currencies that both parts of a filter name, with overlapping ranges merged", () => {
    const prices = [
      { contractAddress: "usd", min: "5", max: "7" },
      { contractAddress: "usd", min: "1", max: "5" },
      { contractAddress: "usd", min: "9" },
      { contractAddress: "usd", min: "4", max: "3" },
      { contractAddress: "ether" },
    ];
    expect(currenciesInFilter({ currencies: ["usd"], prices })).toEqual(["usd"]);
    expect(
      priceBandsOf({ currencies: ["usd"], prices }, priced, unpriced).map(({ low, high }) => [low, high]),
    ).toEqual([
      ["1", "7"],
      ["9", all.high],
    ]);
  });
});

describe("the filter of a property with", () => {
  const nothing = {
    name: "Level",
    hasObjects: false,
    hasLists: false,
    hasTexts: false,
    hasIntegers: true,
    min: 1,
    max: 9,
    values: [],
  };
  const none = { name: "Level", min: null, max: null };

  test.each([
    ["integers alone", {}, { name: "Level", type: "INT", min: 1, max: 9, values: [] }],
    [
      "a text among them",
      { hasTexts: true, values: ["1", "x"] },
      { ...none, type: "STRING", values: ["1", "x"] },
    ],
    [
      "a list among them",
      { hasTexts: true, hasLists: true, values: ["1"] },
      { ...none, type: "ARRAY", values: ["1"] },
    ],
    ["an object among them", { hasLists: true, hasObjects: true }, { ...none, type: "GENERIC", values: [] }],
    [
      "values that are too many to be listed",
      { hasTexts: true, values: null },
      { ...none, type: "GENERIC", values: [] },
    ],
  ])("%s", (_, summary, filter) => expect(inferFilter({ ...nothing, ...summary })).toEqual(filter));
});
