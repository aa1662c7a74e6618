import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CallLog } from "../../../../generator/codegen/runtime/v1/hooks.ts";
import type { Issue } from "../../../../generator/codegen/runtime/v1/issue.ts";
import { createServer } from "../../../fixtures/shop/generated/server/index.ts";
import { adapterNames, type RunningServer, serveWith } from "../../../support/adapters.ts";
import { type RawAnswer, type RawRequest, rawExchange, rawRequest } from "../../../support/raw-http.ts";
import { shopHandlers } from "./shop.ts";

/** A request as sent, and the expected response. `cause` is compared exactly if given. */
interface Row extends Partial<RawRequest> {
  readonly fact: string;
  readonly code?: number;
  readonly status?: number;
  readonly cause?: string;
  /** Paths of the issues. None if absent. */
  readonly paths?: readonly (readonly (string | number)[])[];
  readonly answer?: unknown;
}

const item = "/v2/rpc/Shop/GetItem";
const ping = "/v2/rpc/Shop/Ping";
const echo = "/v2/rpc/Shop/Echo";
const deep = (levels: number): string => `{"value":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;

const rows: readonly Row[] = [
  { fact: "a call is answered", path: item, body: '{"id":1}', answer: { item: { id: 1, name: "item 1" } } },
  {
    fact: "unknown keys are ignored",
    path: item,
    body: '{"id":1,"x":{}}',
    answer: { item: { id: 1, name: "item 1" } },
  },
  { fact: "a reply without fields is {}", path: ping, body: "{}", answer: {} },
  {
    fact: "so is one of an async handler that answers nothing",
    path: "/v2/rpc/Shop/Order",
    body: '{"id":1}',
    answer: {},
  },
  {
    fact: "null in an optional field is absent",
    path: "/v2/rpc/Shop/Order",
    body: '{"id":1,"count":null}',
    answer: {},
  },
  {
    fact: "a bigint is written as decimal text",
    path: "/v2/rpc/Shop/Buy",
    body: '{"id":1,"price":"9007199254740993"}',
    answer: { total: "18014398509481986" },
  },
  {
    fact: "a name that is no identifier, sent with percent signs",
    path: "/v2/rpc/v1/Back%20Office/toString",
    body: '{"text":"é\\u00e9"}',
    answer: { text: "éé" },
  },
  {
    fact: "a method called constructor",
    path: "/v2/rpc/v1/Back%20Office/constructor",
    body: "",
    answer: { name: "constructor" },
  },
  {
    fact: "the query is ignored",
    path: `${item}?a=1`,
    body: '{"id":1}',
    answer: { item: { id: 1, name: "item 1" } },
  },
  {
    fact: "a whole address as target",
    path: `http://test${item}`,
    body: '{"id":1}',
    answer: { item: { id: 1, name: "item 1" } },
  },
  { fact: "a request without fields may be null", path: ping, body: "null", answer: {} },
  { fact: "or empty", path: ping, body: "", answer: {} },
  { fact: "or any other JSON", path: ping, body: "[1]", answer: {} },
  {
    fact: "content type in another case, with parameters",
    path: ping,
    headers: { "Content-Type": 'Application/JSON; charset="UTF-8"' },
    answer: {},
  },
  { fact: "identity is no encoding", path: ping, headers: { "Content-Encoding": "identity" }, answer: {} },
  {
    fact: "a chunked body",
    path: item,
    headers: { "Transfer-Encoding": "chunked" },
    body: '4\r\n{"id\r\n4\r\n":1}\r\n0\r\n\r\n',
    answer: { item: { id: 1, name: "item 1" } },
  },
  { fact: "64 levels of JSON", path: echo, body: deep(64), answer: JSON.parse(deep(64)) },
  {
    fact: "brackets in a string are no levels",
    path: echo,
    body: JSON.stringify({ value: `"\\${"[".repeat(100)}` }),
    answer: { value: `"\\${"[".repeat(100)}` },
  },
  {
    fact: "__proto__ as text is text",
    path: echo,
    body: '{"value":"__proto__"}',
    answer: { value: "__proto__" },
  },
  {
    fact: "the escape of NUL as text is text",
    path: echo,
    body: '{"value":"\\\\u0000"}',
    answer: { value: "\\u0000" },
  },
  {
    fact: "a pair of surrogates by escapes is a character",
    path: echo,
    body: '{"value":{"\\ud83d\\uDE00":"\\uD83D\\ude00\\ud83d\\ude00"}}',
    answer: { value: { "\u{1f600}": "\u{1f600}\u{1f600}" } },
  },
  {
    fact: "a character outside of the first plane is a character",
    path: echo,
    body: '{"value":"\u{1f600}\\ud7ff\\ue000"}',
    answer: { value: "\u{1f600}\ud7ff\ue000" },
  },
  {
    fact: "the escape of a surrogate as text is text",
    path: echo,
    body: '{"value":"\\\\ud800"}',
    answer: { value: "\\ud800" },
  },
  {
    fact: "a replacement character is a character",
    path: echo,
    body: '{"value":"\ufffd"}',
    answer: { value: "\ufffd" },
  },
  {
    fact: "exactly the largest body",
    path: echo,
    body: JSON.stringify({ value: "x".repeat(1024 * 1024 - 12) }),
    answer: { value: "x".repeat(1024 * 1024 - 12) },
  },

  { fact: "an unknown method", path: "/v2/rpc/Shop/Steal", code: -2, status: 404 },
  { fact: "an unknown service", path: "/v2/rpc/Bank/GetItem", code: -2, status: 404 },
  { fact: "names are matched in exact case", path: "/v2/rpc/shop/getitem", code: -2, status: 404 },
  { fact: "a slash at the end", path: `${item}/`, code: -2, status: 404 },
  { fact: "a name that every object has", path: "/v2/rpc/Shop/__proto__", code: -2, status: 404 },
  { fact: "letters of the path sent with percent signs", path: "/v2/rpc/%53hop/Ping", code: -2, status: 404 },
  {
    fact: "a slash of the path sent with a percent sign",
    path: "/v2/rpc/Shop%2FPing",
    code: -2,
    status: 404,
  },
  { fact: "a percent sign sent twice", path: "/v2/rpc/v1/Back%2520Office/toString", code: -2, status: 404 },
  { fact: "a broken percent sign", path: "/v2/rpc/Shop/%E0%A4%A", code: -2, status: 404 },
  {
    fact: "the path goes before the HTTP method",
    path: "/v2/rpc/Shop/Steal",
    method: "GET",
    code: -2,
    status: 404,
  },
  {
    fact: "GET",
    path: item,
    method: "GET",
    code: -3,
    status: 405,
    cause: "methods must be called with POST",
  },
  {
    fact: "PUT",
    path: item,
    method: "PUT",
    body: '{"id":1}',
    code: -3,
    status: 405,
    cause: "methods must be called with POST",
  },
  {
    fact: "OPTIONS: what CORS needs is the host's",
    path: item,
    method: "OPTIONS",
    code: -3,
    status: 405,
    cause: "methods must be called with POST",
  },
  {
    fact: "the HTTP method goes before the content type",
    path: item,
    method: "DELETE",
    headers: { "Content-Type": "" },
    code: -3,
    status: 405,
    cause: "methods must be called with POST",
  },
  {
    fact: "no content type",
    path: item,
    headers: { "Content-Type": "" },
    body: '{"id":1}',
    code: -4,
    cause: "Content-Type must be application/json",
  },
  {
    fact: "the content type of a form",
    path: ping,
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    code: -4,
  },
  {
    fact: "a content type that only begins like JSON's",
    path: ping,
    headers: { "Content-Type": "application/jsonp" },
    code: -4,
  },
  {
    fact: "a content type that only ends like JSON's",
    path: ping,
    headers: { "Content-Type": "x-application/json" },
    code: -4,
  },
  {
    fact: "another charset",
    path: ping,
    headers: { "Content-Type": "application/json; charset=latin1" },
    code: -4,
    cause: "the charset must be UTF-8",
  },
  {
    fact: "a compressed body",
    path: ping,
    headers: { "Content-Encoding": "gzip" },
    code: -4,
    cause: "Content-Encoding is not supported",
  },
  {
    fact: "the content type goes before the size",
    path: ping,
    headers: { "Content-Type": "text/plain" },
    body: "x".repeat(2_000_000),
    code: -4,
    cause: "Content-Type must be application/json",
  },
  {
    fact: "a declared size past the limit",
    path: echo,
    body: `{"value":"${"x".repeat(1024 * 1024)}"}`,
    code: -4,
    cause: "the body is larger than 1048576 bytes",
  },
  {
    fact: "bytes that are no UTF-8",
    path: echo,
    body: new Uint8Array([...Buffer.from('{"value":"'), 0xc3, 0x28, ...Buffer.from('"}')]),
    code: -4,
    cause: "the body is not UTF-8",
  },
  {
    fact: "half of a surrogate pair in UTF-8",
    path: echo,
    body: new Uint8Array([...Buffer.from('{"value":"'), 0xed, 0xa0, 0x80, ...Buffer.from('"}')]),
    code: -4,
    cause: "the body is not UTF-8",
  },
  { fact: "a byte order mark", path: item, body: '\ufeff{"id":1}', code: -4 },
  { fact: "no JSON", path: item, body: "{id:1}", code: -4, cause: "not JSON at position 1" },
  { fact: "JSON that ends too soon", path: item, body: '{"id":1', code: -4 },
  { fact: "text after the JSON", path: item, body: '{"id":1}{"id":2}', code: -4 },
  { fact: "a body for a request without fields is read too", path: ping, body: "{", code: -4 },
  { fact: "no body where fields are needed", path: item, body: "", code: -4 },
  { fact: "65 levels of JSON", path: echo, body: deep(65), code: -4, cause: "JSON is nested deeper than 64" },
  {
    fact: "a mebibyte of brackets",
    path: echo,
    body: "[".repeat(1024 * 1024),
    code: -4,
    cause: "JSON is nested deeper than 64",
  },
  {
    fact: "a key __proto__",
    path: echo,
    body: '{"value":{"__proto__":{"admin":true}}}',
    code: -4,
    cause: 'a key "__proto__"',
  },
  {
    fact: "a key __proto__ with an escape in it",
    path: echo,
    body: '{"value":{"\\u005f_proto__":1}}',
    code: -4,
    cause: 'a key "__proto__"',
  },
  {
    fact: "NUL in a string",
    path: echo,
    body: '{"value":["a\\u0000b"]}',
    code: -4,
    cause: "NUL in a key or a string",
  },
  {
    fact: "NUL in a key",
    path: echo,
    body: '{"value":{"\\u0000":1}}',
    code: -4,
    cause: "NUL in a key or a string",
  },
  {
    fact: "a high surrogate alone",
    path: echo,
    body: '{"value":"\\ud800"}',
    code: -4,
    cause: "a lone surrogate in a key or a string",
  },
  {
    fact: "a high surrogate before another character",
    path: echo,
    body: '{"value":"\\uDBFFa"}',
    code: -4,
    cause: "a lone surrogate in a key or a string",
  },
  {
    fact: "a high surrogate before another escape",
    path: echo,
    body: '{"value":"\\ud83d\\u0061"}',
    code: -4,
    cause: "a lone surrogate in a key or a string",
  },
  {
    fact: "two high surrogates before a low one",
    path: echo,
    body: '{"value":"\\ud83d\\ud83d\\ude00"}',
    code: -4,
    cause: "a lone surrogate in a key or a string",
  },
  {
    fact: "a low surrogate alone",
    path: echo,
    body: '{"value":"\\uDfff"}',
    code: -4,
    cause: "a lone surrogate in a key or a string",
  },
  {
    fact: "a low surrogate after a pair",
    path: echo,
    body: '{"value":"\\ud83d\\ude00\\udc00"}',
    code: -4,
    cause: "a lone surrogate in a key or a string",
  },
  {
    fact: "a pair in reverse order",
    path: echo,
    body: '{"value":"\\ude00\\ud83d"}',
    code: -4,
    cause: "a lone surrogate in a key or a string",
  },
  {
    fact: "a lone surrogate behind an escaped backslash",
    path: echo,
    body: '{"value":"\\\\\\udc00"}',
    code: -4,
    cause: "a lone surrogate in a key or a string",
  },
  {
    fact: "a low surrogate behind the spelt-out escape of a high one",
    path: echo,
    body: '{"value":"\\\\ud83d\\ude00"}',
    code: -4,
    cause: "a lone surrogate in a key or a string",
  },
  {
    fact: "a lone surrogate in a key",
    path: echo,
    body: '{"value":{"a\\ud800":1}}',
    code: -4,
    cause: "a lone surrogate in a key or a string",
  },
  {
    fact: "a lone surrogate deep inside",
    path: echo,
    body: '{"value":[{"a":["\\udc00"]}]}',
    code: -4,
    cause: "a lone surrogate in a key or a string",
  },
  {
    fact: "a list as request",
    path: item,
    body: "[]",
    code: -4,
    cause: "body: expected an object, found a list",
    paths: [[]],
  },
  {
    fact: "every fault is listed",
    path: "/v2/rpc/Shop/Order",
    body: '{"id":"x","count":1.5}',
    code: -4,
    paths: [["id"], ["count"]],
  },
  {
    fact: "null is a request of which everything is missing",
    path: item,
    body: "null",
    code: -4,
    paths: [["id"]],
  },

  {
    fact: "a declared error; its cause is for the log",
    path: item,
    body: '{"id":404}',
    code: 20,
    status: 404,
  },
  {
    fact: "a declared error with a cause for the caller",
    path: item,
    body: '{"id":405}',
    code: 20,
    status: 404,
    cause: "ids start at 1000",
  },
  { fact: "a declared error that was thrown", path: item, body: '{"id":406}', code: 20, status: 404 },
  {
    fact: "a declared error of an async handler",
    path: "/v2/rpc/Shop/Order",
    body: '{"id":409}',
    code: 21,
    status: 409,
  },
];

const names: Readonly<Record<number, readonly [string, string]>> = {
  [-2]: ["WebrpcBadRoute", "bad route"],
  [-3]: ["WebrpcBadMethod", "bad method"],
  [-4]: ["WebrpcBadRequest", "bad request"],
  20: ["NotFound", "there is no such thing"],
  21: ["SoldOut", "sold `out`"],
};

describe.each(adapterNames)("on the wire, over %s", (adapter) => {
  let running: RunningServer;
  const logs: CallLog[] = [];

  beforeAll(async () => {
    running = await serveWith(adapter, createServer(shopHandlers, { onDone: (log) => logs.push(log) }));
  });
  afterAll(() => running[Symbol.asyncDispose]());

  test.each(rows.map((row) => [row.fact, row] as const))("%s", async (_fact, row) => {
    const answer = await rawRequest(running.port, { path: item, ...row });
    if (row.code === undefined) expectSuccess(answer, row.answer);
    else expectFailure(answer, row);
    expect(logs.at(-1)).toMatchObject({
      status: answer.status,
      error: row.code === undefined ? undefined : { code: row.code },
    });
  });

  test("a wrong HTTP method gets the right one in Allow", async () => {
    const { headers } = await rawRequest(running.port, { path: item, method: "PATCH" });
    expect(headers["allow"]).toBe("POST");
  });

  test("HEAD is rejected without a body", async () => {
    const answer = await rawRequest(running.port, { path: item, method: "HEAD" });
    expect(answer).toMatchObject({ status: 405, body: "" });
  });

  test("a failure carries its id in the log", async () => {
    const { headers } = await rawRequest(running.port, { path: item, body: '{"id":404}' });
    expect(headers["x-request-id"]).toBe(logs.at(-1)?.requestId);
    expect(logs.at(-1)?.cause).toBe("row 404 of table items is gone");
  });

  test("all issues of a request are in one cause", async () => {
    const { body } = await rawRequest(running.port, {
      path: "/v2/rpc/Shop/Order",
      body: '{"id":"x","count":1.5}',
    });
    const { cause } = JSON.parse(body) as { cause: string };
    expect(cause).toMatch(/^\/id: expected .*; \/count: expected /);
  });

  test("paths outside of the API are not handled", async () => {
    const { status } = await rawRequest(running.port, { path: "/v2/other" });
    expect(status).toBe(404);
  });

  test("the next request on a connection works", async () => {
    const one = `POST ${item} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 8\r\n\r\n{"id":1}`;
    const last = one.replace("Host: a", "Host: a\r\nConnection: close");
    const text = await rawExchange(running.port, one + one + last);
    expect(text.match(/HTTP\/1.1 200 OK/g)).toHaveLength(3);
  });
});

function expectSuccess(answer: RawAnswer, body: unknown): void {
  expect(answer.status).toBe(200);
  expectHeaders(answer);
  expect(JSON.parse(answer.body)).toEqual(body);
}

function expectFailure(answer: RawAnswer, { code = 0, status = 400, cause, paths }: Row): void {
  expect(answer.status).toBe(status);
  expectHeaders(answer);
  const body = JSON.parse(answer.body) as { readonly cause?: string; readonly issues?: readonly Issue[] };
  const [error, msg] = names[code] ?? [];
  const told = code === -4 ? { cause: cause ?? body.cause } : cause === undefined ? {} : { cause };
  const { issues, ...rest } = body;
  expect(rest).toEqual({ error, code, msg, status, ...told });
  expect(issues?.map(({ path }) => path)).toEqual(paths);
}

function expectHeaders({ headers, body }: RawAnswer): void {
  expect(headers["content-type"]).toMatch(/^application\/json/);
  expect(headers["webrpc"]).toMatch(/^webrpc@v[\d.]+;ridlkit@[^;]+;Shop@v0\.3\.0$/);
  expect(Number(headers["content-length"])).toBe(Buffer.byteLength(body));
}
