import { describe, expect, test } from "vitest";
import { describeIssues, pointerOf } from "../../../../generator/runtime/src/errors.ts";
import { describe as describeValue } from "../../../../generator/runtime/src/validation.ts";
import { planOf } from "../../../support/sample-plan.ts";
import { loadValidators } from "../../../support/validators.ts";

const schema = `webrpc = v1
name = hostile
version = v1
basepath = /rpc

type Tree: []Tree
type Huge: bigint

struct Node
  - name?: string
  - next?: Node
  - children?: []Node
  - byName?: map<string,Node>
  - free?: any
  - tree?: Tree
  - numbers?: []uint8
  - huge?: Huge

service Hostile
  - Try(Node) => (Node)
`;

const validators = loadValidators(planOf({ "m.ridl": schema }, "m.ridl"));
const issuesOf = validators.read("Node");
const read = (value: unknown) => issuesOf(value)?.listed;
const check = (value: unknown) => validators.check("Node")(value)?.listed;

/** Nests `levels` objects or lists without recursion. */
function nested(levels: number, wrap: (inner: unknown) => unknown, innermost: unknown): unknown {
  let value = innermost;
  for (let level = 0; level < levels; level++) value = wrap(value);
  return value;
}

describe("endless nesting is a fault and never overflows the stack", () => {
  test.each([
    ["a struct in itself", nested(100_000, (next) => ({ next }), {})],
    ["a list of itself", nested(100_000, (child) => ({ children: [child] }), {})],
    ["a map of itself", nested(100_000, (child) => ({ byName: { a: child } }), {})],
    ["any", { free: nested(100_000, (inner) => [inner], 0) }],
    ["any, objects", { free: nested(100_000, (a) => ({ a }), 0) }],
    ["an alias of lists", { tree: nested(100_000, (inner) => [inner], []) }],
  ])("%s", (_, value) => {
    const issues = read(value);
    expect(issues).toHaveLength(1);
    expect(issues?.[0]?.expected).toBe("at most 64 levels of nesting");
  });

  test("64 levels are accepted", () => {
    expect(read(nested(63, (next) => ({ next }), {}))).toBeUndefined();
    expect(read(nested(64, (next) => ({ next }), {}))).toHaveLength(1);
    expect(read({ free: nested(63, (inner) => [inner], 0) })).toBeUndefined();
    expect(read({ free: nested(64, (inner) => [inner], 0) })).toHaveLength(1);
  });

  test("a response that contains itself", () => {
    const value: { next?: unknown } = {};
    value.next = value;
    expect(check(value)).toHaveLength(1);
  });
});

describe("faults are limited", () => {
  test.each([
    [1, 1, 0],
    [19, 19, 0],
    [20, 20, 0],
    [21, 20, 1],
    [999, 20, 979],
    [1_000, 20, 980],
    [1_001, 20, 980],
    [350_000, 20, 980],
  ])("of %d faults in a list, %d are listed and %d counted", (count, listed, more) => {
    for (const body of [{ children: new Array(count).fill(5) }, { free: new Array(count).fill("\0") }]) {
      const issues = issuesOf(body);
      expect(issues?.listed.map(({ path }) => path[1])).toEqual(Array.from({ length: listed }, (_, i) => i));
      expect(issues?.more).toBe(more);
    }
  });

  test.each([
    [19, ""],
    [20, ""],
    [21, "; and 1 more"],
    [999, "; and 979 more"],
    [1_000, "; and at least 980 more"],
  ])('of %d faults the text ends in "%s"', (count, end) => {
    const issues = issuesOf({ children: new Array(count).fill(5) });
    const last = `/children/${Math.min(count, 20) - 1}: expected an object, found 5`;
    expect(issues && describeIssues(issues).slice(-(last.length + end.length))).toBe(last + end);
  });

  test("at most 60 characters of values and keys are reported", () => {
    const long = "\u0007".repeat(1_000_000);
    const issues = read({ numbers: [long], byName: { [long]: 5, ["k".repeat(1_000_000)]: 5 } });
    expect(issues).toHaveLength(3);
    for (const { path, found } of issues ?? []) {
      expect(found.length).toBeLessThanOrEqual(60);
      expect(pointerOf(path).length).toBeLessThanOrEqual(80);
    }
  });

  test("bigints are limited to 4,300 digits, before parsing becomes slow", () => {
    expect(read({ huge: "9".repeat(4_300) })).toBeUndefined();
    expect(read({ huge: "9".repeat(4_301) })).toHaveLength(1);
    expect(read({ huge: "9".repeat(1_000_000) })).toHaveLength(1);
  });
});

describe("prototypes", () => {
  test("a key __proto__ is an unknown key", () => {
    const value = JSON.parse('{"__proto__":{"name":5},"name":"a"}');
    expect(read(value)).toBeUndefined();
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test("in a map, it is an ordinary key", () => {
    const value = JSON.parse('{"byName":{"__proto__":{"name":"a","free":null}}}');
    expect(read(value)).toBeUndefined();
    expect(Object.getPrototypeOf(value.byName)).toBe(Object.prototype);
    expect(Object.keys(value.byName)).toEqual(["__proto__"]);
    expect(read(JSON.parse('{"byName":{"__proto__":5}}'))?.[0]?.path).toEqual(["byName", "__proto__"]);
    expect(({} as { name?: string }).name).toBeUndefined();
  });

  test("values that JSON cannot produce are rejected or handled", () => {
    const noPrototype = Object.assign(Object.create(null), { name: "a" });
    expect(read(noPrototype)).toBeUndefined();
    expect(read(new Map())).toBeUndefined();
    expect(check({ name: new Date(0) })).toHaveLength(1);
    expect(check({ name: Symbol("x") })).toHaveLength(1);
    expect(check({ numbers: new Uint8Array(2) })).toHaveLength(1);
    expect(check({ numbers: new Array(3) })).toHaveLength(3);
    expect(check(() => undefined)).toHaveLength(1);
  });
});

test.each([
  ["a", '"a"'],
  ["", '""'],
  ["a\n", '"a\\n"'],
  ["x".repeat(58), `"${"x".repeat(58)}"`],
  ["x".repeat(59), `"${"x".repeat(41)}…" (59 characters)`],
  [5, "5"],
  [true, "true"],
  [null, "null"],
  [undefined, "nothing"],
  [12n, "12n"],
  [10n ** 50n, "a bigint"],
  [[1, 2], "a list of 2"],
  [{ a: 1 }, "an object"],
  [Symbol("x"), "a symbol"],
])("%s is described as %s", (value, expected) => {
  expect(describeValue(value)).toBe(expected);
});
