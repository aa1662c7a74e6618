/** Requests whose content type or body is rejected. */
import { expect, test } from "vitest";
import { rawRequest } from "../../../support/raw-http.ts";
import { describeWire, echo, item, ping, type Row } from "./wire.ts";

const deep = (levels: number): string => `{"value":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;

const rows: readonly Row[] = [
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
    status: 413,
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
    fact: "a low surrogate behind the spelled-out escape of a high one",
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
];

describeWire("rejected", rows, (server) => {
  test("all issues of a request are in one cause", async () => {
    const { body } = await rawRequest(server.port(), {
      path: "/v2/rpc/Shop/Order",
      body: '{"id":"x","count":1.5}',
    });
    const { cause } = JSON.parse(body) as { cause: string };
    expect(cause).toMatch(/^\/id: expected .*; \/count: expected /);
  });
});
