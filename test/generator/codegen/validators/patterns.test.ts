import { describe, expect, test } from "vitest";
import { mayMatchUnstorable } from "../../../../generator/codegen/emit/validators/scalar.ts";
import { platformPlan } from "../../../support/platform-plan.ts";

const patterns = [
  ...new Set(
    platformPlan().types.flatMap((type) => {
      if (type.kind === "enum") return [];
      const places = type.kind === "struct" ? type.fields : [type];
      return places.flatMap(({ constraints }) => constraints.pattern ?? []);
    }),
  ),
];

/** Repeated letters that patterns of the contract accept, with an end that none accepts. */
const hostile = [
  "0",
  "1",
  "a",
  "0x",
  "0xa",
  "0xab",
  "1.",
  "1.1",
  "whsec_A",
  "whsec_=",
  "http://",
  "http://a",
  "h",
  "A",
  "=",
  "-",
  "_",
];

/** Whether the quickest of five runs stays below a limit in milliseconds. The others may have shared the machine. */
function isQuick(limitMs: number, run: () => void): boolean {
  for (let round = 0; round < 5; round++) {
    const started = performance.now();
    run();
    if (performance.now() - started < limitMs) return true;
  }
  return false;
}

test("the contract has patterns", () => {
  expect(patterns.length).toBeGreaterThan(5);
});

describe.each(patterns)("%s", (pattern) => {
  const regex = new RegExp(pattern, "u");

  test("takes no more than linear time on 100,000 characters", () => {
    for (const start of ["", "0x", "whsec_", "http://", "0.", "1"]) {
      for (const unit of hostile) {
        const text = `${start}${unit.repeat(100_000 / unit.length)}\n`;
        // Linear time is about one millisecond. Quadratic time would be more than ten seconds.
        expect(isQuick(1_000, () => regex.test(text))).toBe(true);
      }
    }
  });

  test("takes a mebibyte without an overflow", () => {
    for (const text of [`0x${"ab".repeat(2 ** 19)}`, "1".repeat(2 ** 20), `http://${"a".repeat(2 ** 20)}`]) {
      expect(() => regex.test(text)).not.toThrow();
    }
  });

  test("is classified by whether it allows NUL or a lone surrogate", () => {
    if (!mayMatchUnstorable(pattern))
      for (const unit of ["\0", "\ud800", "\udfff"])
        for (const text of [unit, `0x${unit}`, `a${unit}`, unit + unit]) expect(regex.test(text)).toBe(false);
  });
});

describe("whether a pattern may match NUL or a lone surrogate", () => {
  test.each([
    ["^0x[0-9a-fA-F]{40}$", false],
    ["^(0|[1-9][0-9]{0,77})$", false],
    ["^(0|[1-9][0-9]*)([.][0-9]+)?$", false],
    ["^([a-z]|[0-9]+)$", false],
    ["^$", false],
    ["[a-z]", true],
    ["^[a-z]", true],
    ["[a-z]$", true],
    ["^a|b$", true],
    ["^[a]|[b]$", true],
    ["^.$", true],
    ["^[^ ]+$", true],
    ["^\\S$", true],
    ["^[\\s\\S]$", true],
    ["^(?!a)$", true],
    ["^a$|^b$", true],
    ["^[\0-9]$", true],
    ["^[ -~]+$", false],
    ["^[ -\uffff]+$", true],
    ["^[a-z\u00e4]+$", true],
  ])("%j: %s", (pattern, expected) => {
    expect(mayMatchUnstorable(pattern)).toBe(expected);
  });
});
