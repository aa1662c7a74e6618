/** The history of calls: what a call leaves in it, and its limits. */
import { describe, expect, test } from "vitest";
import type { Failure } from "../../../generator/explorer/page/call/advice.ts";
import {
  maxKeptLength,
  type PastCall,
  pastCallOf,
  responseOf,
} from "../../../generator/explorer/page/call/past-call.ts";
import type { CallResponse } from "../../../generator/explorer/page/call/request.ts";
import { readSchema } from "../../../generator/explorer/page/schema/ir.ts";
import {
  type Calls,
  maxCalls,
  maxCallsLength,
  readCalls,
  withCall,
} from "../../../generator/explorer/page/state/history.ts";

const schema = readSchema({
  name: "past",
  version: "v1",
  types: [
    {
      kind: "struct",
      name: "Out",
      fields: [
        { name: "id", type: "uint64" },
        { name: "key", type: "string", meta: [{ secret: "true" }] },
      ],
    },
  ],
  services: [
    {
      name: "S",
      methods: [
        {
          name: "M",
          succinct: true,
          inputs: [{ name: "in", type: "Out" }],
          outputs: [{ name: "out", type: "Out" }],
        },
      ],
    },
  ],
});
const [service] = schema.ir.services;
const [method] = service?.methods ?? [];
if (service === undefined || method === undefined) throw new Error("the schema has a method");
const found = { service, method };

const done: CallResponse = {
  status: 200,
  headers: [["x-token", "SECRET"]],
  texts: ['{"id":18446744073709551615,"key":"SECRET"}'],
  times: [],
  count: 1,
  file: undefined,
  failure: undefined,
  tookMs: 12,
  state: "done",
};
const past = (response: CallResponse | undefined, request = "form=%7B%7D"): PastCall =>
  pastCallOf(schema, found, { at: 1_000, request, response });

describe("a call of the past", () => {
  test("has its response with every digit, without headers and private fields", () => {
    const call = past(done);
    expect(JSON.stringify(call)).not.toContain("SECRET");
    expect(call.notes).toEqual(["Not kept: /key (private)."]);
    expect(responseOf(call)).toEqual({ ...done, headers: [], texts: ['{"id":18446744073709551615}'] });
  });

  test("has the declared part of a failure, and no other text of an error", () => {
    const failure: Failure = {
      error: "Gone",
      code: 7,
      msg: "gone",
      status: 404,
      issues: [{ message: "m", path: ["id", 0] }],
    };
    const given = {
      ...failure,
      more: "SECRET",
      issues: [{ message: "m", path: ["id", 0], found: "SECRET" }],
    };
    const call = past({ ...done, status: 404, texts: [JSON.stringify(given)], failure: given });
    expect(JSON.stringify(call)).not.toContain("SECRET");
    expect(responseOf(call)).toMatchObject({
      status: 404,
      failure,
      texts: [JSON.stringify({ ...failure, issues: failure.issues })],
    });
    const page = past({ ...done, status: 502, texts: ["<p>SECRET</p>"] });
    expect(JSON.stringify(page)).not.toContain("SECRET");
    expect(page.notes).toEqual(["The response is not kept, because it is not an error of the contract."]);
  });

  test.each([
    ["that has no response", undefined, { status: undefined, isStopped: false, texts: [], notes: [] }],
    [
      "with an empty response",
      { ...done, status: 204, texts: [""] },
      { status: 204, texts: [""], notes: [] },
    ],
    [
      "with a file",
      { ...done, texts: [], file: { name: "a", blob: new Blob(["SECRET"]) } },
      { texts: [], notes: ["Files are not kept."] },
    ],
    [
      "with text that is not JSON",
      { ...done, texts: ["SECRET"] },
      { texts: [""], notes: ["Not kept: the body (not in the contract)."] },
    ],
    [
      "that was stopped",
      { ...done, state: "stopped" as const, texts: [], count: 0 },
      { isStopped: true, notes: [] },
    ],
    [
      "with a stream whose oldest items are gone",
      { ...done, texts: ['{"id":2}', '{"id":1}'], count: 9 },
      { texts: ['{"id":2}', '{"id":1}'], count: 9, notes: ["2 of 9 items are kept."] },
    ],
  ])("%s", (_, response, expected) => {
    expect(past(response)).toMatchObject(expected);
  });

  test.each([
    [maxKeptLength - 1, true],
    [maxKeptLength, true],
    [maxKeptLength + 1, false],
  ])("keeps a request and a response of %i characters: %s", (length, isKept) => {
    const request = "r".repeat(length);
    expect(past(done, request).request).toBe(isKept ? request : undefined);
    expect(past(done, request).notes.includes("The request was too long to keep.")).toBe(!isKept);
    const text = `{"id":${"1".repeat(length - '{"id":}'.length)}}`;
    const { texts, notes } = past({ ...done, texts: [text] });
    expect([texts, notes]).toEqual(isKept ? [[text], []] : [[], ["The response was too long to keep."]]);
    // The newest items, which come first.
    const items = past({ ...done, texts: ['{"id":1}', text], count: 2 });
    expect(items.texts).toEqual(['{"id":1}']);
  });
});

describe("the history", () => {
  const numbered = (count: number): Calls => {
    let calls: Calls = [];
    for (let at = 1; at <= count; at++) calls = withCall(calls, past(done));
    return calls;
  };

  test.each([
    [maxCalls - 1, maxCalls - 1],
    [maxCalls, maxCalls],
    [maxCalls + 1, maxCalls],
  ])("after %i calls has %i, the newest first", (count, kept) => {
    const ids = numbered(count).map(({ id }) => id);
    expect(ids).toEqual(Array.from({ length: kept }, (_, index) => count - index));
  });

  test.each([
    [maxCallsLength - 1, 2],
    [maxCallsLength, 2],
    [maxCallsLength + 1, 1],
  ])("with two calls of %i characters has %i", (length, kept) => {
    const calls = withCall([], past(done));
    const rest = length - JSON.stringify(withCall(calls, { ...past(done), notes: [""] })).length;
    const after = withCall(calls, { ...past(done), notes: ["n".repeat(rest)] });
    expect(after).toHaveLength(kept);
    expect(after[0]?.id).toBe(2);
    if (kept === 2) expect(JSON.stringify(after)).toHaveLength(length);
  });

  test("keeps its newest call, however long", () => {
    // In JSON, each of the text's backslashes becomes two.
    const text = `{"id":"${"\\\\".repeat(maxKeptLength / 2 - 5)}"}`;
    expect(text).toHaveLength(maxKeptLength - 1);
    const msg = "m".repeat(maxKeptLength - 100);
    const failure = { error: "E", code: 1, msg, status: 200 };
    const call = past({ ...done, texts: [text], failure }, "r".repeat(maxKeptLength));
    expect(call).toMatchObject({ texts: [text], failure });
    expect(withCall(numbered(3), call)[0]).toEqual({ ...call, id: 4 });
  });

  test("is read as it was written, without what is not a call", () => {
    const calls = numbered(3);
    expect(readCalls(JSON.stringify(calls))).toEqual(JSON.parse(JSON.stringify(calls)));
    for (const text of ["", "{", "null", "{}", "7", '[null,1,"a",[],{"id":1}]'])
      expect([text, readCalls(text)]).toEqual([text, []]);
    const spoilt = [
      { ...calls[0], at: "now" },
      { ...calls[0], texts: [1] },
      calls[1],
      { ...calls[0], notes: undefined },
    ];
    expect(readCalls(JSON.stringify(spoilt)).map(({ id }) => id)).toEqual([2]);
  });
});

test.each([
  ["", { kind: "overview" }],
  ["#/%", { kind: "overview" }],
  [
    "#/method/v1%2FBack%20Office/Get",
    { kind: "method", service: "v1/Back Office", method: "Get", request: undefined },
  ],
  ["#/method/A/%?form=%", { kind: "method", service: "A", method: "%", request: "form=%" }],
  ["#/method/A/B?", { kind: "method", service: "A", method: "B", request: "" }],
  ["#/method/A/B?form=a/b?c\n#d", { kind: "method", service: "A", method: "B", request: "form=a/b?c\n#d" }],
  ["#/call/12", { kind: "call", id: 12 }],
  ["#/call/x", { kind: "call", id: Number.NaN }],
  ["#/history", { kind: "history" }],
])("the hash %j is the route %j", async (hash, route) => {
  const { readRoute } = (await import(routePath)) as { readRoute: (hash: string, pages: []) => unknown };
  expect(readRoute(hash, [])).toEqual(route);
});

// Its module needs the types of browsers, which this test does not have.
const routePath = "../../../generator/explorer/page/state/route.ts";
