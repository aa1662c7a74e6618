/** Requests that reach their handler, and the errors that handlers return. */
import { expect, test } from "vitest";
import { rawExchange, rawRequest } from "../../../support/raw-http.ts";
import { describeWire, echo, item, ping, type Row } from "./wire.ts";

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

describeWire("served", rows, (server) => {
  test("a failure carries its id in the log", async () => {
    const { headers } = await rawRequest(server.port(), { path: item, body: '{"id":404}' });
    expect(headers["x-request-id"]).toBe(server.logs.at(-1)?.requestId);
    expect(server.logs.at(-1)?.cause).toBe("row 404 of table items is gone");
  });

  test("the next request on a connection works", async () => {
    const one = `POST ${item} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 8\r\n\r\n{"id":1}`;
    const last = one.replace("Host: a", "Host: a\r\nConnection: close");
    const text = await rawExchange(server.port(), one + one + last);
    expect(text.match(/HTTP\/1.1 200 OK/g)).toHaveLength(3);
  });
});
