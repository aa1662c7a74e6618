import { describe, expect, test } from "vitest";
import { dateOf, isDate } from "../../../generator/runtime/src/time.ts";
import {
  bigintOf,
  booleanOfNumber,
  booleanOfText,
  byteCount,
  hasAtLeast,
  hasAtMost,
  integerOfText,
  isBase64,
  isInt64Key,
  isIntegerKey,
  isUtcTimestamp,
  numberOfText,
  textOfInteger,
  utcOf,
} from "../../../generator/runtime/src/validation.ts";

describe("texts", () => {
  test.each([
    ["", 0, true, true],
    ["abc", 2, false, true],
    ["abc", 3, true, true],
    ["abc", 4, true, false],
    ["😀😀", 1, false, true],
    ["😀😀", 2, true, true],
    ["😀😀", 3, true, false],
    ["a😀", 2, true, true],
    ["\ud83d\ud83d\ude00", 2, true, true],
    ["\ud83d\ude00\ude00", 2, true, true],
    ["\ud83d\ude00\ude00", 1, false, true],
  ])("%j has at most %i characters: %s, at least: %s", (text, count, most, least) => {
    expect([hasAtMost(text, count), hasAtLeast(text, count)]).toEqual([most, least]);
  });

  test.each([
    ["", true, 0],
    ["AA==", true, 1],
    ["AAA=", true, 2],
    ["AAAA", true, 3],
    ["A", false, 0],
    ["AA=", false, 0],
    ["A===", false, 0],
    ["A-_A", false, 0],
    ["AA==AAAA", false, 0],
  ])("%j is base64: %s, of %i bytes", (text, expected, bytes) => {
    expect(isBase64(text)).toBe(expected);
    if (expected) expect(byteCount(text)).toBe(bytes);
  });

  test.each([
    ["0", true],
    ["-0", false],
    ["00", false],
    ["-128", true],
    ["-129", false],
    ["127", true],
    ["128", false],
    ["1.0", false],
    ["+1", false],
  ])("the key %s is an int8: %s", (key, expected) => {
    expect(isIntegerKey(key, -128, 127)).toBe(expected);
    expect(isInt64Key(key, -128, 127)).toBe(expected);
  });

  test.each([
    ["18446744073709551615", true],
    ["18446744073709551616", false],
    ["100000000000000000000", false],
    ["-1", false],
  ])("the key %s is a uint64: %s", (key, expected) => {
    expect(isInt64Key(key, 0, 18446744073709551615n)).toBe(expected);
  });

  test.each<[unknown, unknown, unknown, unknown]>([
    ["0", 0n, 0, 0],
    ["-0", "-0", "-0", -0],
    ["-5", -5n, -5, -5],
    ["05", "05", "05", "05"],
    ["1.5", "1.5", "1.5", 1.5],
    ["1e3", "1e3", "1e3", 1_000],
    ["1e1000", "1e1000", "1e1000", "1e1000"],
    ["1234567890123456", 1234567890123456n, 1234567890123456, 1234567890123456],
    ["12345678901234567", 12345678901234567n, "12345678901234567", Number("12345678901234567")],
    ["", "", "", ""],
    [" 1", " 1", " 1", " 1"],
    [5, 5n, 5, 5],
    [1.5, 1.5, 1.5, 1.5],
    [true, true, true, true],
  ])("%j is read as bigint, integer and number", (value, big, integer, number) => {
    expect([bigintOf(value), integerOfText(value), numberOfText(value)]).toEqual([big, integer, number]);
  });

  test("a bigint has at most 4,300 digits", () => {
    const digits = "9".repeat(4_300);
    expect([bigintOf(digits), bigintOf(`${digits}9`)]).toEqual([BigInt(digits), `${digits}9`]);
  });

  test.each<[unknown, unknown, unknown, unknown]>([
    ["true", true, "true", "true"],
    ["True", "True", "True", "True"],
    ["false", false, "false", "false"],
    [1, 1, true, "1"],
    [0, 0, false, "0"],
    [2, 2, 2, "2"],
    [1.5, 1.5, 1.5, 1.5],
    [2 ** 53, 2 ** 53, 2 ** 53, 2 ** 53],
  ])("%j is read as a boolean, and as text", (value, ofText, ofNumber, text) => {
    expect([booleanOfText(value), booleanOfNumber(value), textOfInteger(value)]).toEqual([
      ofText,
      ofNumber,
      text,
    ]);
  });

  test.each([
    ["2024-02-29T23:59:59Z", true],
    ["2023-02-29T00:00:00Z", false],
    ["1900-02-29T00:00:00Z", false],
    ["2000-02-29T00:00:00Z", true],
    ["2024-02-28T00:00:00.123456789Z", true],
    ["2024-02-28T00:00:00.1234567890Z", false],
    ["2024-02-28T00:00:00.Z", false],
    ["2024-04-30T00:00:00Z", true],
    ["2024-04-31T00:00:00Z", false],
    ["2024-06-31T00:00:00Z", false],
    ["2024-09-31T00:00:00Z", false],
    ["2024-11-31T00:00:00Z", false],
    ["2024-12-31T00:00:00Z", true],
    ["2024-12-32T00:00:00Z", false],
    ["2024-13-01T00:00:00Z", false],
    ["2024-00-01T00:00:00Z", false],
    ["2024-01-00T00:00:00Z", false],
    ["2024-01-01T24:00:00Z", false],
    ["2024-01-01T23:60:00Z", false],
    ["2024-01-01T23:59:60Z", false],
    ["2024-01-01t00:00:00Z", false],
    ["2024-01-01T00:00:00+00:00", false],
    ["0000-01-01T00:00:00Z", true],
  ])("%s is a timestamp in UTC: %s", (text, expected) => {
    expect(isUtcTimestamp(text)).toBe(expected);
  });

  test.each([
    ["2025-01-31T12:00:00.50+02:00", "2025-01-31T10:00:00.50Z"],
    ["2025-01-31T12:00:00-02:30", "2025-01-31T14:30:00Z"],
    ["2025-01-31T23:59:59+23:59", "2025-01-31T00:00:59Z"],
    ["2025-01-31T12:00:00+24:00", "2025-01-31T12:00:00+24:00"],
    ["9999-12-31T23:59:59-00:01", "9999-12-31T23:59:59-00:01"],
    ["0000-01-01T00:00:00+00:01", "0000-01-01T00:00:00+00:01"],
    ["2025-01-31T12:00:00Z", "2025-01-31T12:00:00Z"],
  ])("%s is %s in UTC", (text, expected) => {
    expect(utcOf(text)).toBe(expected);
  });

  test.each([
    [-62_167_219_200_001, false],
    [-62_167_219_200_000, true],
    [253_402_300_799_999, true],
    [253_402_300_800_000, false],
    [Number.NaN, false],
  ])("the date %d has an RFC 3339 text: %s", (time, expected) => {
    expect(isDate(new Date(time))).toBe(expected);
    expect(dateOf("2025-01-31T12:00:00.123999Z").getMilliseconds()).toBe(123);
  });
});
