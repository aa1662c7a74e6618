/** The HTTP requests of calls. */
import { describe, expect, test } from "vitest";
import type { Json } from "../../../../generator/codegen/plan/json.ts";
import { type CallRequest, callRequest } from "../../../../generator/verify/requests/routed-request.ts";
import { planOf } from "../../../support/sample-plan.ts";

const schema = `webrpc = v1
name = t
version = v1
basepath = /rpc
enum Kind: uint8
  - User
    + json = USER
  - Robot
struct PutRequest
  - id: string
    + alias = key
  - rest: map<string,any>
struct ListRequest
  - limit: uint32
    + alias = size
  - tags: []string
  - kinds?: []Kind
  - isOn?: bool
  - toString?: string
struct Nothing
service Things
  path = /things
  - Put(PutRequest) => (Nothing)
    PUT /{id}
  - List(ListRequest) => (Nothing)
    GET /
  - Drop(id: string) => ()
    DELETE /{id}
  - Reset() => ()
    POST /reset
  - Ping(id: string) => ()
`;

const plan = planOf({ "m.ridl": schema }, "m.ridl");

function request(name: string, body: Json): CallRequest | undefined {
  const method = plan.services[0]?.methods.find((one) => one.name === name);
  if (method === undefined) throw new Error(`no method ${name}`);
  return callRequest(plan.finder, method, body);
}

describe("a call has the verb, path, query and body of its route", () => {
  test.each<[string, Json, CallRequest]>([
    ["Ping", { id: "" }, { path: "/rpc/Things/Ping", body: { id: "" } }],
    ["Ping", null, { path: "/rpc/Things/Ping", body: null }],
    ["Reset", {}, { verb: "POST", path: "/rpc/things/reset", body: {} }],
    ["Put", { id: "a", rest: {} }, { verb: "PUT", path: "/rpc/things/a", body: { id: "a", rest: {} } }],
    ["Put", { key: "a", rest: {} }, { verb: "PUT", path: "/rpc/things/a", body: { id: "a", rest: {} } }],
    ["Put", { id: "a", key: "b" }, { verb: "PUT", path: "/rpc/things/a", body: { id: "a", key: "b" } }],
    ["Drop", { id: "a/b é?#%" }, { verb: "DELETE", path: "/rpc/things/a%2Fb%20%C3%A9%3F%23%25" }],
    ["Drop", { id: "it's (1)*!" }, { verb: "DELETE", path: "/rpc/things/it%27s%20%281%29%2A%21" }],
    ["Drop", { id: "..." }, { verb: "DELETE", path: "/rpc/things/..." }],
    ["List", { limit: 2, tags: [] }, { verb: "GET", path: "/rpc/things?limit=2" }],
    ["List", { size: "2", tags: ["a", ""] }, { verb: "GET", path: "/rpc/things?limit=2&tags=a&tags=" }],
    [
      "List",
      { tags: [], kinds: [0, "Robot", 9] },
      { verb: "GET", path: "/rpc/things?kinds=USER&kinds=Robot&kinds=9" },
    ],
    ["List", { isOn: null, tags: [] }, { verb: "GET", path: "/rpc/things" }],
    [
      "List",
      { isOn: false, limit: 1e21, tags: [] },
      { verb: "GET", path: "/rpc/things?limit=1e%2B21&isOn=false" },
    ],
    [
      "List",
      { unknown: [1, true], more: { a: 1 } },
      { verb: "GET", path: "/rpc/things?unknown=1&unknown=true" },
    ],
  ])("%s %j", (name, body, expected) => expect(request(name, body)).toEqual(expected));
});

describe("a URL cannot hold", () => {
  test.each<[string, Json]>([
    ["Put", { rest: {} }],
    ["Put", { id: "", rest: {} }],
    ["Put", { id: ".", rest: {} }],
    ["Put", { id: "..", rest: {} }],
    ["Put", { id: null, rest: {} }],
    ["Put", { id: { a: 1 }, rest: {} }],
    ["Put", ["a"]],
    ["Drop", { id: "\ud800" }],
    ["List", { limit: { a: 1 } }],
    ["List", { tags: [{ a: 1 }] }],
  ])("%s %j", (name, body) => expect(request(name, body)).toBeUndefined());

  test("more than 7,000 characters", () => {
    const text = "x".repeat(7_000 - "/rpc/things/".length);
    expect(request("Drop", { id: text })?.path).toHaveLength(7_000);
    expect(request("Drop", { id: `${text}x` })).toBeUndefined();
    expect(request("Drop", { id: `${text.slice(1)}` })?.path).toHaveLength(6_999);
    expect(request("Put", { id: `${text}x` })).toBeUndefined();
  });
});
