import { expect, test } from "vitest";
import {
  jsonError,
  mayHoldJsonError,
  timestampError,
  uint256Error,
} from "../../../../server/market/import-export/check-values.ts";

const tooLarge = "/tokenId: more than 2^256 - 1";

test.each([
  [undefined, undefined],
  ["0", undefined],
  ["9".repeat(77), undefined],
  [String(2n ** 256n - 2n), undefined],
  [String(2n ** 256n - 1n), undefined],
  [String(2n ** 256n), tooLarge],
  ["9".repeat(78), tooLarge],
])("%s as uint256 has the error %s", (value, fault) => {
  expect(uint256Error("tokenId", value)).toBe(fault);
});

test.each([
  ["0000-12-31T23:59:59Z", false],
  ["0001-01-01T00:00:00Z", true],
  ["9999-12-31T23:59:59.999999999Z", true],
  ["2025-01-31T12:00:00+15:59", true],
  ["2025-01-31T12:00:00-15:59", true],
  ["2025-01-31T12:00:00+16:00", false],
  ["2025-01-31T12:00:00-16:00", false],
])("Postgres can store the timestamp %s: %s", (validFrom, can) => {
  const fault = can ? undefined : "/validFrom: expected a timestamp between the years 1 and 9999";
  expect(timestampError({ validFrom, validUntil: null }, ["validFrom", "validUntil"])).toBe(fault);
});

test.each([
  [71, undefined],
  [72, undefined],
  [73, "nested too deeply"],
])("a string within %i objects has the error %s", (depth, fault) => {
  const nested = Array.from({ length: depth }).reduce<unknown>((inner) => ({ a: inner }), "found");
  const found = jsonError(nested);
  if (fault === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(fault);
});

test.each([
  ["1.7e308", undefined],
  ["1.8e308", "/a: a number above 1.8e308; write it as a string"],
  ["-1.8e308", "/a: a number above 1.8e308; write it as a string"],
  ['"\\ud83d\\ude00"', undefined],
  ['"\\ud83d"', "/a: a lone surrogate cannot be stored"],
  ['"\\u0000"', "/a: U+0000 cannot be stored"],
  ['{"__proto__":1}', '/a: the key "__proto__" is not allowed'],
  ['{"\\u0000":1}', "/a/…: U+0000 cannot be stored"],
])("%s has the error %s", (json, fault) => {
  const text = `{"a":${json}}`;
  expect(jsonError(JSON.parse(text))).toBe(fault);
  expect(mayHoldJsonError(text)).toBe(true);
});

test.each([
  [299, false],
  [300, true],
])("a number of %i digits needs the deep check: %s", (digits, is) => {
  expect(mayHoldJsonError(`{"a":${"9".repeat(digits)}}`)).toBe(is);
});
