import { describe, expect, test } from "vitest";
import { findMethod, listed } from "../../../../../generator/tools/cli/call/contract.ts";

describe("a method is found", () => {
  const all = [
    { service: "Shop", method: "Buy" },
    { service: "Shop", method: "Ping" },
    { service: "Api", method: "Ping" },
  ];

  test.each([
    ["Buy", all[0]],
    ["Shop.Ping", all[1]],
    ["Ping", 'Several services have the method "Ping": Shop.Ping, Api.Ping.'],
    ["Shop.Byu", 'Unknown method "Shop.Byu". Did you mean "Shop.Buy"?'],
    ["Bux", 'Unknown method "Bux". Did you mean "Buy"?'],
    ["buyers", 'Unknown method "buyers". Methods: Shop.Buy, Shop.Ping, Api.Ping.'],
  ])("by %s", (wanted, expected) => {
    expect(findMethod(wanted, all)).toEqual(expected);
  });

  test.each([
    [0, "none"],
    [1, "S.M0"],
    [20, /S[.]M19$/],
    [21, /S[.]M19 and 1 more$/],
    [25, /S[.]M19 and 5 more$/],
  ])("of %i methods, twenty are listed", (count, expected) => {
    const methods = Array.from({ length: count }, (_, index) => ({ service: "S", method: `M${index}` }));
    expect(listed(methods)).toMatch(expected);
  });
});
