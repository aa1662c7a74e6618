/** Which texts of paths and queries are values of which type. */
import { describe, expect, test } from "vitest";
import type { RouteType } from "../../../../generator/runtime/src/definition.ts";
import { expectedValue, jsonOfText } from "../../../../generator/runtime/src/routes.ts";

const safe = BigInt(Number.MAX_SAFE_INTEGER);
const ranges: readonly (readonly [type: RouteType, isInt64Wide: boolean, low: bigint, high: bigint])[] = [
  ["int8", false, -128n, 127n],
  ["int16", false, -32_768n, 32_767n],
  ["int32", false, -2_147_483_648n, 2_147_483_647n],
  ["int64", false, -safe, safe],
  ["int64", true, -(2n ** 63n), 2n ** 63n - 1n],
  ["int", false, -safe, safe],
  ["int", true, -safe, safe],
  ["uint8", true, 0n, 255n],
  ["uint16", true, 0n, 65_535n],
  ["uint32", true, 0n, 4_294_967_295n],
  ["uint64", false, 0n, safe],
  ["uint64", true, 0n, 2n ** 64n - 1n],
  ["uint", false, 0n, safe],
  ["uint", true, 0n, safe],
];

test.each(ranges)("%s, wide: %s, is from %d to %d", (type, isInt64Wide, low, high) => {
  const read = (value: bigint): string | undefined => jsonOfText(type, String(value), isInt64Wide);
  expect([read(low - 1n), read(low), read(low + 1n)]).toEqual([undefined, `${low}`, `${low + 1n}`]);
  expect([read(high - 1n), read(high), read(high + 1n)]).toEqual([`${high - 1n}`, `${high}`, undefined]);
});

describe("texts", () => {
  test.each<[RouteType, string, string | undefined]>([
    ["uint8", "007", "7"],
    ["int8", "-0", "0"],
    ["int8", "-007", "-7"],
    ["uint64", `${"0".repeat(10_000)}7`, "7"],
    ["uint64", "1".repeat(21), undefined],
    ["int8", "", undefined],
    ["int8", "-", undefined],
    ["int8", "+1", undefined],
    ["int8", " 1", undefined],
    ["int8", "1.0", undefined],
    ["int8", "1e1", undefined],
    ["int8", "0x1", undefined],
    ["int8", "1_0", undefined],
    ["int8", "١", undefined],
    ["uint64", "-1", undefined],

    ["float64", "1.5", "1.5"],
    ["float64", "-.5e1", "-5"],
    ["float64", "+5.", "5"],
    ["float64", "1e308", "1e+308"],
    ["float64", "1e309", undefined],
    ["float32", "NaN", undefined],
    ["float32", "Infinity", undefined],
    ["float64", "", undefined],
    ["float64", ".", undefined],
    ["float64", "1e", undefined],
    ["float64", "0x10", undefined],
    ["float64", "1,5", undefined],

    ...["1", "t", "T", "TRUE", "true", "True"].map((text): [RouteType, string, string] => [
      "bool",
      text,
      "true",
    ]),
    ...["0", "f", "F", "FALSE", "false", "False"].map((text): [RouteType, string, string] => [
      "bool",
      text,
      "false",
    ]),
    ["bool", "", undefined],
    ["bool", "yes", undefined],
    ["bool", "tRUE", undefined],
    ["bool", "constructor", undefined],

    ["string", "", '""'],
    ["string", 'a"\\\n', '"a\\"\\\\\\n"'],
    ["string", "null", '"null"'],
  ])("%s: %j", (type, text, json) => {
    expect(jsonOfText(type, text, true)).toBe(json);
  });

  // Quadratic time would exceed the timeout of tests.
  test.each<RouteType>(["uint64", "float64"])("a long text is read as %s in linear time", (type) => {
    for (const digit of ["0", "1"])
      expect(jsonOfText(type, `${digit.repeat(2_000_000)}x`, true)).toBeUndefined();
  });
});

test("only digits that a number would lose are reported as such", () => {
  expect(expectedValue("uint64", "9007199254740992")).toBe("valid uint64 within ±(2^53 - 1)");
  expect(expectedValue("int", "-9007199254740992")).toBe("valid int within ±(2^53 - 1)");
  expect(expectedValue("uint64", "18446744073709551616")).toBe("valid uint64");
  expect(expectedValue("uint64", "x")).toBe("valid uint64");
  expect(expectedValue("uint8", "256")).toBe("valid uint8");
});
