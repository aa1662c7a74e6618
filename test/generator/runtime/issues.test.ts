import { describe, expect, test } from "vitest";
import { describeIssues, issue, pointerOf, toIssues } from "../../../generator/runtime/src/errors.ts";
import {
  describe as describeValue,
  fault,
  issuesOf,
  pathKey,
  rename,
} from "../../../generator/runtime/src/validation.ts";

describe("issues", () => {
  test.each([
    [1, "/a: expected x, found y"],
    [2, "/a: expected x, found y; /a: expected x, found y"],
    [20, /found y$/],
    [21, /found y; and 1 more$/],
    [999, /; and 979 more$/],
    [1_000, /; and at least 980 more$/],
  ])("of %i, twenty are listed", (count, expected) => {
    const issues = toIssues(Array.from({ length: count }, () => issue(["a"], "x", "y")));
    expect(issues.listed).toHaveLength(Math.min(count, 20));
    expect(describeIssues(issues)).toMatch(expected);
  });

  test("the body itself has a name", () => {
    expect(describeIssues(toIssues([issue([], "x", "y")]))).toBe("body: expected x, found y");
    expect(pointerOf(["a/b", 3, "~"])).toBe("/a~1b/3/~0");
  });

  test.each<[unknown, string]>([
    ["a", '"a"'],
    ["x".repeat(58), `"${"x".repeat(58)}"`],
    ["x".repeat(59), `"${"x".repeat(41)}…" (59 characters)`],
    ["x".repeat(100), `"${"x".repeat(40)}…" (100 characters)`],
    ['"'.repeat(30), `"${'\\"'.repeat(20)}\\…" (30 characters)`],
    [1.5, "1.5"],
    [true, "true"],
    [10n ** 30n - 1n, `${10n ** 30n - 1n}n`],
    [10n ** 30n, "a bigint"],
    [-(10n ** 30n), "a bigint"],
    [[1, 2], "a list of 2"],
    [{}, "an object"],
    [null, "null"],
    [undefined, "nothing"],
    [Symbol("a"), "a symbol"],
  ])("%o is described as %s", (value, expected) => {
    expect(describeValue(value)).toBe(expected);
    expect(describeValue(value).length).toBeLessThan(62);
  });

  test("a long key is cut to 60 characters", () => {
    expect(pathKey("x".repeat(60))).toBe("x".repeat(60));
    expect(pathKey("x".repeat(61))).toBe(`${"x".repeat(59)}…`);
  });

  test("twenty faults are listed, and all are counted", () => {
    let faults = fault(undefined, ["a"], "x", 1);
    for (let count = 1; count < 22; count++) faults = fault(faults, ["a"], "x", 1);
    expect([issuesOf(faults)?.listed.length, issuesOf(faults)?.more]).toEqual([20, 2]);
    expect(issuesOf(undefined)).toBeUndefined();
  });

  test.each<[unknown, unknown, unknown, boolean]>([
    [1, undefined, 1, true],
    [1, 1, 1, true],
    ["1", 1, 1, true],
    [{ a: 1 }, { a: "1" }, { a: "1" }, true],
    [[1], [1], [1], true],
    [null, 2, 2, true],
    [2, null, 2, true],
    [null, null, null, true],
    [1, 2, 2, false],
    [[1], { 0: 1 }, { 0: 1 }, false],
    [{ a: 1 }, { a: 1, b: 2 }, { a: 1, b: 2 }, false],
    [{ a: 1 }, { b: 1 }, { b: 1 }, false],
  ])("an alias of %j beside %j: %j, valid: %s", (other, own, expected, isValid) => {
    const value: Record<string, unknown> = { other, ...(own === undefined ? {} : { own }) };
    expect(rename(undefined, value, "other", "own") === undefined).toBe(isValid);
    expect(value).toEqual({ own: expected });
  });

  test.each<[unknown, unknown, boolean]>([
    [null, 2, false],
    [2, null, false],
    ["null", null, false],
    [null, null, true],
    [2, 2, true],
  ])("with null as a value, an alias of %j beside %j is valid: %s", (other, own, isValid) => {
    const value = { other, own };
    expect(rename(undefined, value, "other", "own", true) === undefined).toBe(isValid);
    expect(value).toEqual({ own });
  });
});
