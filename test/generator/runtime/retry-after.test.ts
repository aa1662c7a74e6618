import { expect, test } from "vitest";
import { readRetryAfter } from "../../../generator/runtime/src/time.ts";

const now = Date.UTC(2026, 0, 31, 12);

/** A header with a date some milliseconds from now. */
function dateIn(ms: number): string {
  return new Date(now + ms).toUTCString();
}

test.each([
  ["0", 0],
  ["1", 1_000],
  ["0.5", 500],
  ["1.5", 1_500],
  ["86400", 86_400_000],
  ["Saturday, 31-Jan-26 12:00:01 GMT", 1_000],
  ["Sat Jan 31 12:00:01 2026", 1_000],
  ["Sun Feb  1 12:00:00 2026", 86_400_000],
  ["Sunday, 06-Nov-94 08:49:37 GMT", 0],
  ["3000000", 3_000_000_000],
  [dateIn(-1_000), 0],
  [dateIn(0), 0],
  [dateIn(1_000), 1_000],
  [dateIn(86_400_000), 86_400_000],
])("%s is read as %i ms", (text, ms) => {
  expect(readRetryAfter(text, now)).toBe(ms);
});

test.each([
  "",
  "-1",
  "-5",
  "-2030",
  "+1",
  ".5",
  "1.",
  "1e3",
  "0x10",
  "1, 2",
  "soon",
  "2030-01-01T00:00:00Z",
  "1 Jan 2030",
  "Mon, 32 Jan 2030 00:00:00 GMT",
  "Thu, 31-Jan 2030 00:00:00 GMT",
  "Thu, 31 Jan 2030 00:00:00 +0000",
  "Thu Jan 31 00:00:00 2030 GMT",
  "Sat Jan 31 12:00:01 26",
  `${dateIn(1_000)}, then`,
  `at ${dateIn(1_000)}`,
])("%j is ignored", (text) => {
  expect(readRetryAfter(text, now)).toBeUndefined();
});
