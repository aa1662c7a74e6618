import { beforeAll, expect, test } from "vitest";
import type { Json } from "../../../../generator/codegen/plan/json.ts";
import type { PlannedMethod } from "../../../../generator/codegen/plan/plan.ts";
import { Findings, type TestResponse } from "../../../../generator/verify/contract-test/call.ts";
import {
  type ResponseCheck,
  ResponseChecker,
  rejectionOf,
} from "../../../../generator/verify/contract-test/checkers.ts";
import { Coverage } from "../../../../generator/verify/contract-test/coverage.ts";
import { invalidVariants } from "../../../../generator/verify/contract-test/invalid-variants.ts";
import { checkRecordedCalls } from "../../../../generator/verify/contract-test/recorded-calls.ts";
import type { ResponseValidator } from "../../../../generator/verify/responses/response-validator.ts";
import { planOf } from "../../../support/sample-plan.ts";

const schema = `webrpc = v1
name = t
version = v1
basepath = /rpc

error 1 Gone "gone" HTTP 410
error 2 Busy "busy" HTTP 409
error 3 Broken "broken" HTTP 500

service Pets
  - Get(id: uint64) => (name: string) errors Gone | Broken
  - List() => stream (name: string) errors Gone | Busy
  - Photo() => (file)
  - Ping() => ()
`;

const plan = planOf({ "m.ridl": schema }, "m.ridl");

/** Any body that lacks a name does not fit. */
const validator = {
  mismatches: (_type: string, body: unknown) =>
    (body as { name?: unknown } | null)?.name === undefined
      ? [{ verdict: "breaks", message: "no name" }]
      : [],
} as unknown as ResponseValidator;

let checker: ResponseChecker;

beforeAll(() => {
  checker = new ResponseChecker(plan, validator);
});

function method(name: string): PlannedMethod {
  const found = plan.services[0]?.methods.find((one) => one.name === name);
  if (found === undefined) throw new Error(name);
  return found;
}

const ok: TestResponse = { status: 200, text: '{"name":"Tom"}', contentType: "application/json" };

const envelope = (name: string, code: number, status: number): TestResponse => ({
  status,
  text: JSON.stringify({ error: name, code, msg: "m", status }),
  contentType: "application/json",
});

const violation = (rule: string, message: string): ResponseCheck => ({ violation: { rule, message } });
const noProtocol = (status: number): ResponseCheck =>
  violation("error-format", `the response with status ${status} is not an error of the protocol`);

test.each<[string, string, TestResponse, ResponseCheck]>([
  ["a value", "Get", ok, { value: { name: "Tom" } }],
  [
    "a value with a charset",
    "Get",
    { ...ok, contentType: "application/json; charset=utf-8" },
    { value: { name: "Tom" } },
  ],
  [
    "no response",
    "Get",
    { ...ok, status: 0, text: "ECONNREFUSED" },
    violation("responds", "no response: ECONNREFUSED"),
  ],
  [
    "a page",
    "Get",
    { ...ok, text: "<html>" },
    violation("response-json", "the response with status 200 is not JSON"),
  ],
  [
    "a page with a status",
    "Get",
    { ...ok, status: 502, text: "<html>" },
    violation("response-json", "the response with status 502 is not JSON"),
  ],
  [
    "text",
    "Get",
    { ...ok, contentType: "text/plain" },
    violation("response-json", "the response has the content type text/plain, not application/json"),
  ],
  [
    "no content type",
    "Get",
    { ...ok, contentType: "" },
    violation("response-json", "the response has the content type (none), not application/json"),
  ],
  ["another value", "Get", { ...ok, text: "{}" }, violation("response-schema", "no name")],
  ["any value, where none is read", "Ping", { ...ok, text: "{}" }, { value: {} }],
  ["a status of success that is not 200", "Get", { ...ok, status: 201 }, noProtocol(201)],
  ["a file", "Photo", { ...ok, text: "bytes", contentType: "image/png" }, { value: "bytes" }],
  [
    "an error of a file",
    "Photo",
    envelope("WebrpcBadRequest", -4, 400),
    { error: { name: "WebrpcBadRequest", code: -4, status: 400 } },
  ],
  [
    "a stream",
    "List",
    { ...ok, text: '{"name":"a"}\n\n{"name":"b"}\n' },
    { value: [{ name: "a" }, { name: "b" }] },
  ],
  ["an empty stream", "List", { ...ok, text: "" }, { value: [] }],
  [
    "a stream with another item",
    "List",
    { ...ok, text: '{"name":"a"}\n{}\n' },
    violation("response-schema", "no name"),
  ],
  [
    "a stream with an error at its end",
    "List",
    { ...ok, text: `{"name":"a"}\n{"webrpcError":${envelope("Gone", 1, 410).text}}\n` },
    { error: { name: "Gone", code: 1, status: 410 } },
  ],
  [
    "a stream that does not begin",
    "List",
    envelope("Gone", 1, 410),
    { error: { name: "Gone", code: 1, status: 410 } },
  ],
  [
    "an error of the method",
    "Get",
    envelope("Gone", 1, 410),
    { error: { name: "Gone", code: 1, status: 410 } },
  ],
  [
    "an error with status 500 of the method",
    "Get",
    envelope("Broken", 3, 500),
    { error: { name: "Broken", code: 3, status: 500 } },
  ],
  ["no error name", "Get", { ...envelope("Gone", 1, 410), text: '{"code":1}' }, noProtocol(410)],
  [
    "no error code",
    "Get",
    { ...envelope("Gone", 1, 410), text: '{"error":"Gone","code":"1"}' },
    noProtocol(410),
  ],
  ["a list", "Get", { ...envelope("Gone", 1, 410), text: "[]" }, noProtocol(410)],
  [
    "an unknown code",
    "Get",
    envelope("Gone", 9, 410),
    violation("errors-declared", "the error Gone with the code 9 is not in the contract"),
  ],
  [
    "an unknown name",
    "Get",
    envelope("Went", 1, 410),
    violation("errors-declared", "the code 1 belongs to Gone, but Went was returned"),
  ],
  [
    "another status",
    "Get",
    envelope("Gone", 1, 404),
    violation("error-status", "Gone has the status 404 instead of 410"),
  ],
  [
    "another status in the body alone",
    "Get",
    { ...envelope("Gone", 1, 404), status: 410 },
    violation("error-status", "Gone has the status 410 instead of 410"),
  ],
  [
    "no status in the body",
    "Get",
    { ...ok, status: 410, text: '{"error":"Gone","code":1}' },
    { error: { name: "Gone", code: 1, status: 410 } },
  ],
  [
    "an error of another method",
    "Get",
    envelope("Busy", 2, 409),
    violation("errors-declared", "Busy is not one of the errors of the method"),
  ],
  [
    "an internal error",
    "Get",
    envelope("WebrpcServerPanic", -6, 500),
    violation("no-internal-errors", "WebrpcServerPanic was returned"),
  ],
  [
    "an unnamed error",
    "Get",
    envelope("WebrpcEndpoint", 0, 400),
    violation("no-internal-errors", "WebrpcEndpoint was returned"),
  ],
])("a response: %s", (_case, name, response, expected) => {
  expect(checker.check(method(name), response)).toEqual(expected);
});

test("recorded errors lack their data, and errors of a server do not", async () => {
  const text = schema.replace(
    "service",
    "struct Why\n  - name: string\n\ntype GoneData: Why\n  + errorData = Gone\n\nservice",
  );
  const withData = planOf({ "m.ridl": text }, "m.ridl");
  const found = { rule: "response-schema", message: "the data of Gone: no name" };
  const [service] = withData.services;
  const get = service?.methods[0] as PlannedMethod;
  expect(new ResponseChecker(withData, validator).check(get, envelope("Gone", 1, 410)).violation).toEqual(
    found,
  );
  const error = { error: "Gone", code: 1, msg: "m", status: 410 };
  const recorded = (envelope: Json) =>
    checkRecordedCalls({
      plan: withData,
      responses: validator,
      calls: [
        {
          service: "Pets",
          method: "Get",
          request: { id: 1 },
          response: { status: 410, body: undefined, items: undefined, isFile: false, error: envelope },
        },
      ],
      allows: async () => true,
    });
  expect(await recorded(error)).toEqual([]);
  expect(await recorded({ ...error, data: {} })).toMatchObject([found]);
});

test("only WebrpcBadRequest rejects a request as invalid", () => {
  expect(rejectionOf(-4)).toEqual({ rule: "accepts-valid", message: "a valid request was rejected" });
  expect([rejectionOf(-5), rejectionOf(4), rejectionOf(undefined)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

const error = (status: number, code = 1): ResponseCheck => ({ error: { name: "E", code, status } });

test.each<[string, readonly ResponseCheck[], boolean, boolean]>([
  ["nothing", [], false, false],
  ["a value", [{ value: {} }], true, false],
  ["a value after errors", [error(401), { value: {} }], true, false],
  ["a violation", [{ violation: { rule: "r", message: "m" } }], true, false],
  ["an error", [error(404)], true, true],
  ["an error and a violation", [error(404), { violation: { rule: "r", message: "m" } }], true, false],
  ["400", [error(400)], true, true],
  ["401", [error(401)], false, false],
  ["402", [error(402)], true, true],
  ["403", [error(403)], false, false],
  ["405", [error(405)], false, false],
  ["429", [error(429)], false, false],
  ["500", [error(500)], true, true],
  ["503", [error(503)], false, false],
  ["an unknown path", [error(404, -2)], false, false],
  ["400 after 401", [error(401), error(400)], true, true],
])("the calls of a method returned %s", (_case, checks, isReached, hasOnlyErrors) => {
  const coverage = new Coverage(["A"]);
  for (const check of checks) coverage.note("A", check, false);
  coverage.note("B", { value: 1 }, false);
  expect(coverage.unreached.map(({ method: name }) => name)).toEqual(isReached ? [] : ["A"]);
  expect(coverage.onlyErrors.map(({ method: name }) => name)).toEqual(hasOnlyErrors ? ["A"] : []);
});

test("an error counts once, without its code", () => {
  const coverage = new Coverage(["A"]);
  for (const status of [401, 403]) coverage.note("A", error(status), false);
  expect(coverage.unreached).toEqual([{ method: "A", errors: [{ name: "E", status: 403 }] }]);
});

test("a finding is kept once, with the fewest calls; numbers and quoted words do not tell findings apart", () => {
  const findings = new Findings();
  const at = { service: "S", method: "M" };
  const call = { path: "/" };
  findings.report("r", at, 'field "a" is 1', [call, call]);
  findings.report("r", at, 'field "b" is 22', [call]);
  findings.report("r", at, 'field "c" is 3', [call]);
  findings.report("r", at, "other", [call]);
  findings.report("q", at, 'field "a" is 1', [call]);
  findings.report("r", { service: "S", method: "N" }, 'field "a" is 1', [call]);
  expect(findings.all.map(({ rule, method: name, message }) => [rule, name, message])).toEqual([
    ["r", "S.M", 'field "b" is 22'],
    ["r", "S.M", "other"],
    ["q", "S.M", 'field "a" is 1'],
    ["r", "S.N", 'field "a" is 1'],
  ]);
});

const everything = `webrpc = v1
name = t
version = v1
basepath = /rpc

enum Kind: string
  - cat

type Short: string
  + maxLength = 2

struct Inner
  - deep: bool

struct Ask
  - text: string
    + minLength = 2
    + maxLength = 3
    + pattern = "^[a-z]+$"
  - long?: string
    + maxLength = 20000
  - almost?: string
    + maxLength = 19999
  - either: string
    + accepts = number
  - count: uint8
    + minimum = 1
    + maximum = 9
  - wide: int64
  - loose?: int32
    + accepts = string
  - ratio: float64
    + minimum = 0
    + maximum = 1
  - plain: float32
  - kind: Kind
  - bytes: []byte
  - list: []Short
    + minItems = 1
    + maxItems = 2
  - many?: []uint8
    + maxItems = 2000
  - empty?: []uint8
    + maxItems = 3
  - map: map<string,int>
  - inner: Inner
  - nothing?: null
  - anything: any
  - maybe: uint8
    + nullable = always
  - preset: uint8
    + default = 1
  - at: timestamp
  - big: bigint
  - flag: bool

service S
  - Do(Ask) => (Ask)
`;

const valid = {
  text: "ab",
  long: "l",
  almost: "a",
  either: "e",
  count: 5,
  wide: 7,
  loose: 3,
  ratio: 0.5,
  plain: 1.5,
  kind: "cat",
  bytes: "AA==",
  list: ["x", "y"],
  many: [1],
  empty: [],
  map: { a: 1 },
  inner: { deep: true },
  nothing: null,
  anything: 1,
  maybe: 2,
  preset: 3,
  at: "2026-01-02T03:04:05Z",
  big: "1",
  flag: true,
};

test("each rule of a contract has an invalid variant", async () => {
  const lines = [...invalidVariants(planOf({ "m.ridl": everything }, "m.ridl"), "Ask", valid)].map(
    ({ body, description }) => {
      const changed = Object.entries(valid).flatMap(([key, value]) => {
        const now = (body as Record<string, unknown>)[key];
        return JSON.stringify(now) === JSON.stringify(value) ? [] : [`${key}: ${JSON.stringify(now) ?? "-"}`];
      });
      const text = changed.join(", ");
      return `${description} | ${text.length > 80 ? `${text.slice(0, 80)}… ${text.length}` : text}`;
    },
  );
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("golden/invalid-variants.txt");
});
