/** Which invalid values are still invalid as text. */
import { describe, expect, test } from "vitest";
import type { Json } from "../../../../generator/codegen/plan/json.ts";
import type { PlannedMethod } from "../../../../generator/codegen/plan/plan.ts";
import {
  isInvalidOnRoute,
  unreadableValues,
} from "../../../../generator/verify/contract-test/test-routes.ts";
import { Routes } from "../../../../generator/verify/contract-test/tester.ts";
import { planOf } from "../../../support/sample-plan.ts";

const schema = `webrpc = v1
name = t
version = v1
basepath = /rpc
service Things
  path = /things
  - Find(id: uint8, text: string, tags: []string, sizes?: []int32, isOn?: bool, ratio?: float64) => ()
    GET /{id}
  - Put(id: uint8, text: string) => ()
    PUT /{id}
  - New() => ()
    GET /new
  - Text(a: string, b: string) => ()
    GET /{a}/{b}
`;

const plan = planOf({ "m.ridl": schema }, "m.ridl");

function method(name: string): PlannedMethod & { readonly route: object } {
  const found = plan.services[0]?.methods.find((one) => one.name === name);
  if (found?.route === undefined) throw new Error(`no route of ${name}`);
  return { ...found, route: found.route };
}

const valid = { id: 1, text: "a", tags: ["a"], sizes: [1], isOn: true, ratio: 1.5 };

describe("a changed value of a query or path", () => {
  test.each<[Record<string, Json>, boolean]>([
    [{ id: 256 }, true],
    [{ id: -1 }, true],
    [{ id: 0.5 }, true],
    [{ id: "1" }, false],
    [{ id: "one" }, true],
    [{ text: 17 }, false],
    [{ text: "" }, true],
    [{ text: null }, false],
    [{ tags: [] }, true],
    [{ tags: null }, false],
    [{ tags: ["b"] }, true],
    [{ sizes: [] }, false],
    [{ sizes: ["x"] }, true],
    [{ sizes: ["1"] }, false],
    [{ isOn: "maybe" }, true],
    [{ isOn: "TRUE" }, false],
    [{ isOn: 0 }, false],
    [{ ratio: "1e3" }, false],
    [{ ratio: 1e300 }, true],
  ])("%j", (change, expected) => {
    const { route } = method("Find") as PlannedMethod;
    expect(route && isInvalidOnRoute(route, valid, { ...valid, ...change })).toBe(expected);
  });

  test("an absent value is invalid, and an absent list is not", () => {
    const { route } = method("Find") as PlannedMethod;
    const { text: _, ...noText } = valid;
    const { tags: __, ...noTags } = valid;
    expect(route && isInvalidOnRoute(route, valid, noText)).toBe(true);
    expect(route && isInvalidOnRoute(route, valid, noTags)).toBe(false);
  });
});

test("values of a body stay invalid as they are", () => {
  const { route } = method("Put") as PlannedMethod;
  expect(route && isInvalidOnRoute(route, { id: 1, text: "a" }, { id: 1, text: 17 })).toBe(true);
});

test("each number and boolean in a path or a query has an unreadable variant", () => {
  expect(unreadableValues(method("Find"), valid).map(({ description }) => description)).toEqual([
    '"x" is in the path as "id", which is a uint8',
    '"x" is in the query as "sizes", which is a int32',
    '"x" is in the query as "isOn", which is a bool',
    '"x" is in the query as "ratio", which is a float64',
  ]);
  expect(unreadableValues(method("Find"), valid)[1]?.body).toEqual({ ...valid, sizes: ["x"] });
  expect(unreadableValues(method("Text"), { a: "a", b: "b" })).toEqual([]);
});

test("a path belongs to its most specific route", () => {
  const routes = new Routes(plan);
  expect(routes.isCallOf(method("Find"), { verb: "GET", path: "/rpc/things/1?text=new" })).toBe(true);
  expect(routes.isCallOf(method("Find"), { verb: "GET", path: "/rpc/things/new?text=a" })).toBe(false);
  expect(routes.isCallOf(method("Put"), { verb: "PUT", path: "/rpc/things/new" })).toBe(true);
  expect(routes.isCallOf(method("New"), { verb: "GET", path: "/rpc/things/new" })).toBe(true);
});

test("another verb is one that no route of the path has", () => {
  const routes = new Routes(plan);
  expect(routes.otherVerb("/rpc/things/1?text=a", false)).toBe("POST");
  expect(routes.otherVerb("/rpc/things/1", true)).toBe("QUERY");
  expect(routes.otherVerb("/rpc/other", false)).toBe("GET");
});
