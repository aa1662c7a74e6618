/** The functions of the runtime that need neither a server nor a client. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { BoundedText } from "../../../../generator/codegen/runtime/v1/bounded-text.ts";
import { partOf, requestedRange, sizeOf } from "../../../../generator/codegen/runtime/v1/byte-range.ts";
import { canonicalJson } from "../../../../generator/codegen/runtime/v1/canonical-json.ts";
import { readResponse } from "../../../../generator/codegen/runtime/v1/client-response.ts";
import { ReadConditions } from "../../../../generator/codegen/runtime/v1/conditional-context.ts";
import { dateOf, isDate } from "../../../../generator/codegen/runtime/v1/date.ts";
import {
  listsStrongTag,
  listsTag,
  tagOfContent,
  tagOfState,
} from "../../../../generator/codegen/runtime/v1/entity-tag.ts";
import { RpcError } from "../../../../generator/codegen/runtime/v1/errors.ts";
import {
  faultOfHeaders,
  isValidHeader,
  validHeaders,
  withMoreHeaders,
} from "../../../../generator/codegen/runtime/v1/headers.ts";
import { parseInt64Json, printInt64Json } from "../../../../generator/codegen/runtime/v1/int64-json.ts";
import {
  describeIssues,
  issue,
  pointerOf,
  toIssues,
} from "../../../../generator/codegen/runtime/v1/issue.ts";
import { BodyFault } from "../../../../generator/codegen/runtime/v1/json.ts";
import {
  requestOfJsonQuery,
  TargetTooLong,
  targetOf,
} from "../../../../generator/codegen/runtime/v1/json-query.ts";
import type { McpApi, McpMethod } from "../../../../generator/codegen/runtime/v1/mcp-api.ts";
import { cutJson, describeCuts } from "../../../../generator/codegen/runtime/v1/mcp-cut.ts";
import { describeTypes, methodLine } from "../../../../generator/codegen/runtime/v1/mcp-describe.ts";
import { callRequest, uploadMaxBytes } from "../../../../generator/codegen/runtime/v1/mcp-request.ts";
import { McpSearch } from "../../../../generator/codegen/runtime/v1/mcp-search.ts";
import { shapeOf, typeNames, unaliased } from "../../../../generator/codegen/runtime/v1/mcp-types.ts";
import { actionOf, stem, wordsOf } from "../../../../generator/codegen/runtime/v1/mcp-words.ts";
import { readFile } from "../../../../generator/codegen/runtime/v1/received-file.ts";
import { redact } from "../../../../generator/codegen/runtime/v1/recorded-api.ts";
import { RecordingFile } from "../../../../generator/codegen/runtime/v1/recording-file.ts";
import { requestOfUrl } from "../../../../generator/codegen/runtime/v1/route-request.ts";
import { readItems } from "../../../../generator/codegen/runtime/v1/stream-items.ts";
import {
  formMaxBytes,
  isMissing,
  missingFiles,
  plainName,
} from "../../../../generator/codegen/runtime/v1/upload-form.ts";
import {
  bigintOf,
  booleanOfNumber,
  booleanOfText,
  integerOfText,
  numberOfText,
  textOfInteger,
} from "../../../../generator/codegen/runtime/v1/validation-decode.ts";
import {
  describe as describeValue,
  fault,
  issuesOf,
  pathKey,
} from "../../../../generator/codegen/runtime/v1/validation-faults.ts";
import { rename } from "../../../../generator/codegen/runtime/v1/validation-object.ts";
import {
  byteCount,
  hasAtLeast,
  hasAtMost,
  isBase64,
  isInt64Key,
  isIntegerKey,
} from "../../../../generator/codegen/runtime/v1/validation-text.ts";
import { isUtcTimestamp, utcOf } from "../../../../generator/codegen/runtime/v1/validation-timestamp.ts";
import { folder } from "../../../support/program.ts";

const headersOf = (all: Readonly<Record<string, string>>) => ({
  header: (name: string): string | undefined => all[name],
});

describe("headers", () => {
  const json = "Content-Type must be application/json";
  const form = "Content-Type must be multipart/form-data";

  test.each<[Readonly<Record<string, string>>, boolean, string | undefined]>([
    [{ "content-type": "application/json" }, false, undefined],
    [{ "content-type": "Application/JSON ; Charset=UTF-8" }, false, undefined],
    [{ "content-type": 'application/json; a=b; charset="utf8"' }, false, undefined],
    [{ "content-type": "application/json; charset=us-ascii" }, false, undefined],
    [{ "content-type": "application/json; charset=latin1" }, false, "the charset must be UTF-8"],
    [{ "content-type": "application/json; charset=utf-16" }, false, "the charset must be UTF-8"],
    [{ "content-type": "text/json" }, false, json],
    [{}, false, json],
    [{ "content-type": "multipart/form-data; boundary=x" }, false, json],
    [{ "content-type": "Multipart/Form-Data ;boundary=x" }, true, undefined],
    [{ "content-type": "multipart/form-data" }, true, form],
    [{ "content-type": "application/json" }, true, form],
    [{}, true, form],
    [{ "content-type": "application/json", "content-encoding": "identity" }, false, undefined],
    [{ "content-type": "application/json", "content-encoding": "Identity" }, false, undefined],
    [
      { "content-type": "application/json", "content-encoding": "gzip" },
      false,
      "Content-Encoding is not supported",
    ],
    [
      { "content-type": "multipart/form-data;b=x", "content-encoding": "gzip" },
      true,
      "Content-Encoding is not supported",
    ],
  ])("%j, a form: %s, are %s", (all, isForm, expected) => {
    expect(faultOfHeaders(headersOf(all), isForm)).toBe(expected);
  });

  test.each<[string, string | readonly string[], boolean]>([
    ["X-A", "a\tb~\u0080\u00ff", true],
    ["X-A", "", true],
    ["!#$%&'*+.^`|~-_9", "a", true],
    ["X-A", ["a", "b"], true],
    ["X-A", ["a", "b\n"], false],
    ["X-A", "a\r", false],
    ["X-A", "\u001f", false],
    ["X-A", "\u007f", false],
    ["X-A", "\u0100", false],
    ["X A", "a", false],
    ["X:", "a", false],
    ["", "a", false],
  ])("the header %j: %j may be sent: %s", (name, value, expected) => {
    expect(isValidHeader(name, value)).toBe(expected);
    expect(Object.keys(validHeaders({ [name]: value }))).toHaveLength(expected ? 1 : 0);
  });

  test("a response keeps its own headers, whatever their letter case", () => {
    expect(withMoreHeaders({ "X-A": "1" }, { "x-a": "2", "X-B": "3" })).toEqual({ "X-A": "1", "X-B": "3" });
    expect(withMoreHeaders(undefined, { "x-a": "2" })).toEqual({ "x-a": "2" });
    expect(validHeaders(undefined)).toEqual({});
  });
});

describe("tags", () => {
  test.each([
    ["v7", '"v7"'],
    ["a b", '"a%20;b"'],
    ['a"b', '"a%22;b"'],
    ["50%", '"50%25;"'],
    ["a,b", '"a%2c;b"'],
    ["😀", '"%1f600;"'],
    ["!#$&'()*+-./~", '"!#$&\'()*+-./~"'],
  ])("the state %s has the tag %s", (state, tag) => {
    expect(tagOfState(state)).toBe(tag);
  });

  test("the tag of content is that of its bytes", async () => {
    const tag = await tagOfContent("é");
    expect(tag).toMatch(/^"[A-Za-z0-9+/]{22}"$/);
    expect(await tagOfContent(new TextEncoder().encode("é"))).toBe(tag);
    expect(await tagOfContent("e")).not.toBe(tag);
  });

  test.each([
    ['"a"', '"a"', true, true],
    ['W/"a"', '"a"', true, false],
    ['"b" , "a"', '"a"', true, true],
    ["*", '"a"', true, true],
    [" * ", '"a"', true, true],
    ["a", '"a"', false, false],
    ['"ab"', '"a"', false, false],
    ['"b, "a', '"a"', false, false],
  ])("%s lists %s: %s, strongly: %s", (field, tag, weak, strong) => {
    expect([listsTag(field, tag), listsStrongTag(field, tag)]).toEqual([weak, strong]);
  });

  test.each([
    ["GET", {}, true, "bytes=0-1"],
    ["GET", { "if-range": ' "v1" ' }, true, "bytes=0-1"],
    ["GET", { "if-range": '"v2"' }, true, undefined],
    ["GET", { "if-range": 'W/"v1"' }, true, undefined],
    ["QUERY", {}, true, undefined],
    ["HEAD", {}, true, undefined],
    ["GET", {}, false, undefined],
  ])("a part of a file by %s with %j, mayOmit %s, is %s", (verb, more, mayOmit, range) => {
    const conditions = new ReadConditions(verb, headersOf({ range: "bytes=0-1", ...more }), mayOmit);
    conditions.tag = '"v1"';
    expect(conditions.range).toBe(range);
  });

  test.each([
    [{}, true, false],
    [{ "if-none-match": '"v1"' }, true, true],
    [{ "if-none-match": '"v2"' }, true, false],
    [{ "if-none-match": '"v1"' }, false, false],
  ])("a condition %j, mayOmit %s, is met: %s", (all, mayOmit, isMet) => {
    const conditions = new ReadConditions("GET", headersOf(all), mayOmit);
    conditions.tag = '"v1"';
    expect(conditions.isMet()).toBe(isMet);
  });
});

describe("parts of files", () => {
  test.each<[string | undefined, number, unknown]>([
    [undefined, 10, undefined],
    ["bytes=0-0", 10, { start: 0, end: 0 }],
    ["bytes=2-4", 10, { start: 2, end: 4 }],
    ["Bytes= 2-4 ", 10, { start: 2, end: 4 }],
    ["bytes=2-", 10, { start: 2, end: 9 }],
    ["bytes=2-99", 10, { start: 2, end: 9 }],
    ["bytes=9-", 10, { start: 9, end: 9 }],
    ["bytes=10-", 10, "unsatisfiable"],
    ["bytes=4-4", 10, { start: 4, end: 4 }],
    ["bytes=4-3", 10, undefined],
    ["bytes=-3", 10, { start: 7, end: 9 }],
    ["bytes=-10", 10, { start: 0, end: 9 }],
    ["bytes=-99", 10, { start: 0, end: 9 }],
    ["bytes=-0", 10, "unsatisfiable"],
    ["bytes=-1", 0, "unsatisfiable"],
    ["bytes=0-", 0, "unsatisfiable"],
    ["bytes=-", 10, undefined],
    ["bytes=0-1,2-3", 10, undefined],
    ["items=0-1", 10, undefined],
  ])("%s of %i bytes is %j", (field, size, expected) => {
    expect(requestedRange(field, size)).toEqual(expected);
  });

  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (const text of ["ab", "cd", "ef"]) yield new TextEncoder().encode(text);
  }

  const bodies = {
    bytes: () => ({ body: new TextEncoder().encode("abcdef"), name: "a.txt", type: "text/plain" }),
    chunks: () => ({ body: chunks(), size: 6, name: "a.txt", type: "text/plain" }),
    "a stream": () => ({ body: ReadableStream.from(chunks()), size: 6, name: "a.txt", type: "text/plain" }),
    "a file": () => new File(["abcdef"], "a.txt", { type: "text/plain" }),
  };

  test.each(
    Object.entries(bodies).flatMap(([name, make]) =>
      (
        [
          [0, 0, "a"],
          [1, 2, "bc"],
          [2, 3, "cd"],
          [5, 5, "f"],
          [0, 5, "abcdef"],
        ] as const
      ).map(([start, end, text]) => [name, start, end, text, make] as const),
    ),
  )("of %s, %i to %i are %s", async (_name, start, end, text, make) => {
    const file = make();
    expect(sizeOf(file)).toBe(6);
    const part = partOf(file, { start, end });
    expect([part.name, part.type, part.size]).toEqual(["a.txt", "text/plain", text.length]);
    const read =
      part.body instanceof Uint8Array
        ? part.body
        : Buffer.from(await new Response(part.body as never).arrayBuffer());
    expect(Buffer.from(read).toString()).toBe(text);
  });
});

describe("JSON", () => {
  test.each([
    ['{"b":1,"a":{"d":2,"c":[{"z":1,"y":2}]}}', '{"a":{"c":[{"y":2,"z":1}],"d":2},"b":1}'],
    ['{ "a" : [ ] , "b" : { } }', '{"a":[],"b":{}}'],
    ['{"\\u0062":1,"a":1.50}', '{"a":1.50,"\\u0062":1}'],
    ['"a b"', '"a b"'],
    ['[1, "x,}", null]', '[1,"x,}",null]'],
  ])("%s is %s in canonical form", (json, expected) => {
    expect(canonicalJson(json)).toBe(expected);
  });

  test.each<[string, unknown]>([
    ["9007199254740991", 9007199254740991],
    ["9007199254740992", 9007199254740992n],
    ["-9007199254740992", -9007199254740992n],
    ["18446744073709551615", 18446744073709551615n],
    ["184467440737095516150", Number("184467440737095516150")],
    ['"9007199254740993"', "9007199254740993"],
    ['{"a":9007199254740993,"9007199254740993":1}', { a: 9007199254740993n, "9007199254740993": 1 }],
    ["1234567890123456.5", 1234567890123456.5],
    ["9007199254740993e0", 9007199254740992],
    ["[1,9007199254740993]", [1, 9007199254740993n]],
  ])("%s keeps all digits of 64 bits", (text, value) => {
    expect(parseInt64Json(text)).toEqual(value);
  });

  test.each<[unknown, string]>([
    [5n, "5"],
    [9007199254740991n, "9007199254740991"],
    [9007199254740993n, "9007199254740993"],
    [{ a: [-9007199254740993n, "9007199254740993"] }, '{"a":[-9007199254740993,"9007199254740993"]}'],
  ])("%o is printed as %s", (value, text) => {
    expect(printInt64Json(value)).toBe(text);
  });

  test.each(["9007199254740993:1", "{9007199254740993 : 1}", "0123456789012345678"])(
    "%s stays invalid",
    (text) => {
      expect(() => parseInt64Json(text)).toThrow(SyntaxError);
    },
  );

  test.each<[number, string, string, boolean, unknown]>([
    [10, "q=%7B%7D", "{}", true, undefined],
    [10, "a=1&q=%22a+b%22", '"a b"', true, undefined],
    [10, "", "", true, undefined],
    [10, "", "missing query param 'q'", false, BodyFault],
    [10, "qq=1", "missing query param 'q'", false, BodyFault],
    [10, "q=%E0%A4", "invalid query param 'q': malformed percent-encoding", true, BodyFault],
    [2_000, "q=1", "1", true, undefined],
    [
      2_001,
      "q=1",
      "the path and the query are longer than 2000 bytes: send the request by QUERY or POST",
      true,
      TargetTooLong,
    ],
  ])("in a target of %i bytes, the query %j is %s", (length, query, expected, mayBeMissing, fault) => {
    const found = requestOfJsonQuery("x".repeat(length), query, mayBeMissing);
    expect(found instanceof BodyFault ? found.reason : found).toBe(expected);
    if (fault !== undefined) expect(found).toBeInstanceOf(fault);
  });

  test.each([
    [{ originalUrl: "/api/a?q=1", url: "/a?q=1" }, "/api/a?q=1"],
    [{ url: "http://h:1/a?q=1" }, "/a?q=1"],
    [{ url: "HTTPS://h" }, ""],
    [undefined, ""],
  ])("the target of %j is %s", (carrier, target) => {
    expect(targetOf(carrier)).toBe(target);
  });

  test.each([
    [9, "0123456789", "the response is larger than 9 bytes: "],
    [10, "0123456789", "0123456789"],
    [10, "é", "é"],
  ])("with %i bytes at most, %s is read as %s", (max, text, expected) => {
    const bounded = new BoundedText(max);
    expect(bounded.add(new TextEncoder().encode(text))).toBe(!expected.startsWith("the"));
    expect(bounded.end()).toBe(expected);
  });
});

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
    [2, null, null, true],
    [1, 2, 2, false],
    [[1], { 0: 1 }, { 0: 1 }, false],
    [{ a: 1 }, { a: 1, b: 2 }, { a: 1, b: 2 }, false],
    [{ a: 1 }, { b: 1 }, { b: 1 }, false],
  ])("an alias of %j beside %j: %j, valid: %s", (other, own, expected, isValid) => {
    const value: Record<string, unknown> = { other, ...(own === undefined ? {} : { own }) };
    expect(rename(undefined, value, "other", "own") === undefined).toBe(isValid);
    expect(value).toEqual({ own: expected });
  });
});

describe("texts", () => {
  test.each([
    ["", 0, true, true],
    ["abc", 2, false, true],
    ["abc", 3, true, true],
    ["abc", 4, true, false],
    ["😀😀", 1, false, true],
    ["😀😀", 2, true, true],
    ["😀😀", 3, true, false],
    ["a😀", 2, true, true],
    ["\ud83d\ud83d\ude00", 2, true, true],
    ["\ud83d\ude00\ude00", 2, true, true],
    ["\ud83d\ude00\ude00", 1, false, true],
  ])("%j has at most %i characters: %s, at least: %s", (text, count, most, least) => {
    expect([hasAtMost(text, count), hasAtLeast(text, count)]).toEqual([most, least]);
  });

  test.each([
    ["", true, 0],
    ["AA==", true, 1],
    ["AAA=", true, 2],
    ["AAAA", true, 3],
    ["A", false, 0],
    ["AA=", false, 0],
    ["A===", false, 0],
    ["A-_A", false, 0],
    ["AA==AAAA", false, 0],
  ])("%j is base64: %s, of %i bytes", (text, expected, bytes) => {
    expect(isBase64(text)).toBe(expected);
    if (expected) expect(byteCount(text)).toBe(bytes);
  });

  test.each([
    ["0", true],
    ["-0", false],
    ["00", false],
    ["-128", true],
    ["-129", false],
    ["127", true],
    ["128", false],
    ["1.0", false],
    ["+1", false],
  ])("the key %s is an int8: %s", (key, expected) => {
    expect(isIntegerKey(key, -128, 127)).toBe(expected);
    expect(isInt64Key(key, -128, 127)).toBe(expected);
  });

  test.each([
    ["18446744073709551615", true],
    ["18446744073709551616", false],
    ["100000000000000000000", false],
    ["-1", false],
  ])("the key %s is a uint64: %s", (key, expected) => {
    expect(isInt64Key(key, 0, 18446744073709551615n)).toBe(expected);
  });

  test.each<[unknown, unknown, unknown, unknown]>([
    ["0", 0n, 0, 0],
    ["-0", "-0", "-0", -0],
    ["-5", -5n, -5, -5],
    ["05", "05", "05", "05"],
    ["1.5", "1.5", "1.5", 1.5],
    ["1e3", "1e3", "1e3", 1_000],
    ["1e1000", "1e1000", "1e1000", "1e1000"],
    ["1234567890123456", 1234567890123456n, 1234567890123456, 1234567890123456],
    ["12345678901234567", 12345678901234567n, "12345678901234567", Number("12345678901234567")],
    ["", "", "", ""],
    [" 1", " 1", " 1", " 1"],
    [5, 5n, 5, 5],
    [1.5, 1.5, 1.5, 1.5],
    [true, true, true, true],
  ])("%j is read as bigint, integer and number", (value, big, integer, number) => {
    expect([bigintOf(value), integerOfText(value), numberOfText(value)]).toEqual([big, integer, number]);
  });

  test("a bigint has at most 4,300 digits", () => {
    const digits = "9".repeat(4_300);
    expect([bigintOf(digits), bigintOf(`${digits}9`)]).toEqual([BigInt(digits), `${digits}9`]);
  });

  test.each<[unknown, unknown, unknown, unknown]>([
    ["true", true, "true", "true"],
    ["True", "True", "True", "True"],
    ["false", false, "false", "false"],
    [1, 1, true, "1"],
    [0, 0, false, "0"],
    [2, 2, 2, "2"],
    [1.5, 1.5, 1.5, 1.5],
    [2 ** 53, 2 ** 53, 2 ** 53, 2 ** 53],
  ])("%j is read as a boolean, and as text", (value, ofText, ofNumber, text) => {
    expect([booleanOfText(value), booleanOfNumber(value), textOfInteger(value)]).toEqual([
      ofText,
      ofNumber,
      text,
    ]);
  });

  test.each([
    ["2024-02-29T23:59:59Z", true],
    ["2023-02-29T00:00:00Z", false],
    ["1900-02-29T00:00:00Z", false],
    ["2000-02-29T00:00:00Z", true],
    ["2024-02-28T00:00:00.123456789Z", true],
    ["2024-02-28T00:00:00.1234567890Z", false],
    ["2024-02-28T00:00:00.Z", false],
    ["2024-04-30T00:00:00Z", true],
    ["2024-04-31T00:00:00Z", false],
    ["2024-06-31T00:00:00Z", false],
    ["2024-09-31T00:00:00Z", false],
    ["2024-11-31T00:00:00Z", false],
    ["2024-12-31T00:00:00Z", true],
    ["2024-12-32T00:00:00Z", false],
    ["2024-13-01T00:00:00Z", false],
    ["2024-00-01T00:00:00Z", false],
    ["2024-01-00T00:00:00Z", false],
    ["2024-01-01T24:00:00Z", false],
    ["2024-01-01T23:60:00Z", false],
    ["2024-01-01T23:59:60Z", false],
    ["2024-01-01t00:00:00Z", false],
    ["2024-01-01T00:00:00+00:00", false],
    ["0000-01-01T00:00:00Z", true],
  ])("%s is a timestamp in UTC: %s", (text, expected) => {
    expect(isUtcTimestamp(text)).toBe(expected);
  });

  test.each([
    ["2025-01-31T12:00:00.50+02:00", "2025-01-31T10:00:00.50Z"],
    ["2025-01-31T12:00:00-02:30", "2025-01-31T14:30:00Z"],
    ["2025-01-31T23:59:59+23:59", "2025-01-31T00:00:59Z"],
    ["2025-01-31T12:00:00+24:00", "2025-01-31T12:00:00+24:00"],
    ["9999-12-31T23:59:59-00:01", "9999-12-31T23:59:59-00:01"],
    ["0000-01-01T00:00:00+00:01", "0000-01-01T00:00:00+00:01"],
    ["2025-01-31T12:00:00Z", "2025-01-31T12:00:00Z"],
  ])("%s is %s in UTC", (text, expected) => {
    expect(utcOf(text)).toBe(expected);
  });

  test.each([
    [-62_167_219_200_001, false],
    [-62_167_219_200_000, true],
    [253_402_300_799_999, true],
    [253_402_300_800_000, false],
    [Number.NaN, false],
  ])("the date %d has an RFC 3339 text: %s", (time, expected) => {
    expect(isDate(new Date(time))).toBe(expected);
    expect(dateOf("2025-01-31T12:00:00.123999Z").getMilliseconds()).toBe(123);
  });
});

describe("errors", () => {
  const make = (code: number, status: number, retryAfter?: string): RpcError =>
    new RpcError({ name: "E", code, status, msg: "m", ...(retryAfter === undefined ? {} : { retryAfter }) });

  test.each([
    [-1, 400, "request", true],
    [-9, 200, "request", true],
    [-5, 200, "response", false],
    [-8, 400, "client", false],
    [7, 0, "client", false],
    [7, 400, "server", false],
    [-4, 400, "server", false],
    [7, 428, "server", false],
    [7, 429, "server", true],
    [7, 430, "server", false],
    [7, 500, "server", false],
    [7, 501, "server", false],
    [7, 502, "server", true],
  ])("code %i with status %i is of the %s, and may succeed later: %s", (code, status, side, retryable) => {
    expect([make(code, status).side, make(code, status).retryable]).toEqual([side, retryable]);
    expect(make(code, status, "1").retryable).toBe(true);
    expect(make(code, status, "").retryable).toBe(retryable);
  });

  const method = { schema: { failures: { [-5]: { name: "Bad", msg: "bad", status: 500 } } } } as never;
  const response = (status: number, text: string) => ({
    status,
    headers: { get: (name: string) => (name === "retry-after" ? "9" : null) },
    text: async () => text,
  });

  test.each<[number, string, object]>([
    [
      400,
      '{"error":"Gone","code":7,"msg":"m","cause":"c"}',
      { name: "Gone", code: 7, msg: "m", cause: "c", status: 400 },
    ],
    [400, '{"name":"Gone","code":7,"message":"m"}', { name: "Gone", msg: "m" }],
    [400, '{"error":"Gone","code":7}', { name: "Gone", msg: "Gone", cause: undefined }],
    [400, '{"error":"Gone","code":"7"}', { name: "Bad", code: -5 }],
    [299, "[]", { name: "Bad", code: -5, cause: "[]" }],
    [300, '{"a":1}', { name: "Bad", code: -5 }],
    [400, "x".repeat(201), { cause: "x".repeat(200), retryAfter: "9" }],
    [
      400,
      '{"error":"G","code":7,"issues":[{"message":"m","expected":"e","found":"f","path":["a",0]}]}',
      { issues: [{ path: ["a", 0] }] },
    ],
    [
      400,
      '{"error":"G","code":7,"issues":[{"message":"m","expected":"e","found":"f","path":[null]}]}',
      { name: "G", issues: undefined },
    ],
    [
      400,
      '{"error":"G","code":7,"issues":[{"message":1,"expected":"e","found":"f","path":[]}]}',
      { issues: undefined },
    ],
  ])("a response with status %i and the body %s is an error", async (status, text, expected) => {
    const error = await readResponse(method, response(status, text)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RpcError);
    for (const [key, value] of Object.entries(expected))
      if (value === undefined) expect((error as Record<string, unknown>)[key]).toBeUndefined();
      else expect(error).toMatchObject({ [key]: value });
  });

  test.each([200, 299])("a response with status %i is a value", async (status) => {
    expect(await readResponse(method, response(status, ' {"a":1}'))).toEqual({ a: 1 });
  });
});

describe("the items of a stream", () => {
  const method = { schema: { failures: { [-5]: { name: "Bad" }, [-9]: { name: "Lost" } } } } as never;
  const signal = new AbortController().signal;

  async function read(lines: string, itemMaxLength = 1_000): Promise<unknown> {
    const items: unknown[] = [];
    const body = ReadableStream.from([new TextEncoder().encode(lines)]);
    try {
      for await (const item of readItems(body, { method, silenceMs: 0, itemMaxLength, signal }))
        items.push(item);
    } catch (thrown) {
      const { name, code, cause, status } = thrown as RpcError;
      return { items, name, code, cause, status };
    }
    return items;
  }

  test.each<[string, unknown]>([
    ["", []],
    ['{"a":1}\n\n \n{"a":2}\n', [{ a: 1 }, { a: 2 }]],
    [
      '{"a":1}\n{"a"',
      {
        items: [{ a: 1 }],
        name: "Lost",
        code: -9,
        cause: "the stream ended within an item",
        status: undefined,
      },
    ],
    ["[1]\n", { items: [], name: "Bad", code: -5, cause: "[1]", status: undefined }],
    [`${"x".repeat(201)}\n`, { items: [], name: "Bad", code: -5, cause: "x".repeat(200), status: undefined }],
    [
      '{"webrpcError":{"error":"E","code":7,"status":410}}\n',
      { items: [], name: "E", code: 7, cause: undefined, status: 410 },
    ],
    [
      '{"webrpcError":{"error":"E","code":7,"status":300}}\n',
      { items: [], name: "E", code: 7, cause: undefined, status: 300 },
    ],
    [
      '{"webrpcError":{"error":"E","code":7,"status":299}}\n',
      { items: [], name: "E", code: 7, cause: undefined, status: 400 },
    ],
    [
      '{"webrpcError":{"error":"E","code":7}}\n',
      { items: [], name: "E", code: 7, cause: undefined, status: 400 },
    ],
  ])("%j", async (lines, expected) => {
    expect(await read(lines)).toEqual(expected);
  });

  test.each([
    [7, true],
    [6, false],
  ])("of seven characters, with %i at most, are read: %s", async (max, isRead) => {
    for (const lines of ['{"a":1}\n', '{"a":1}'])
      expect(JSON.stringify(await read(lines, max)).includes("an item is longer than")).toBe(!isRead);
  });
});

describe("files", () => {
  test.each([
    ["a.png", "a.png"],
    ["C:\\x\\a.png", "a.png"],
    ["../a/b.png", "b.png"],
    ["a\u0000\u007f\u202eb", "ab"],
    ["\u001f", undefined],
    ["", undefined],
    ["a/", undefined],
    [undefined, undefined],
    ["x".repeat(255), "x".repeat(255)],
    ["x".repeat(256), "x".repeat(255)],
  ])("the name %j is %j", (name, expected) => {
    expect(plainName(name)).toBe(expected);
  });

  const field = (more: object) => ({ name: "f", ...more }) as never;

  test.each([
    [{}, [], true],
    [{}, ["f"], false],
    [{ isOptional: true }, [], false],
    [{ isList: true }, [], false],
  ])("a field %j is missing with the files %j: %s", (more, names, expected) => {
    const files = new Map(names.map((name) => [name, {}]));
    expect(isMissing(field(more), files)).toBe(expected);
    expect(missingFiles([field(more)], files) !== undefined).toBe(expected);
    expect(missingFiles([field({ ...more, within: "arg" })], files)).toBeUndefined();
  });

  test("a form has room for its files, its other parts and its framing", () => {
    const call = { fileMaxBytes: 1_000, filesMax: 2, bodyMaxBytes: 10 } as never;
    expect(formMaxBytes(call)).toBe(2_000 + 160 + 262_144);
  });

  test.each([
    ["inline; filename=\"a.png\"; filename*=UTF-8''%C3%A4.png", "ä.png"],
    ["filename*=utf-8''a%20b; filename=x", "a b"],
    ['inline; filename="a b.png"', "a b.png"],
    ["filename=plain.txt", "plain.txt"],
    ["filename=\"a.png\"; filename*=UTF-8''%E0%A4", "a.png"],
    ["inline", undefined],
  ])("a file with the disposition %s has the name %s", async (disposition, name) => {
    const headers = new Headers({ "content-disposition": disposition, "content-length": "0" });
    const body = new ReadableStream<Uint8Array>();
    const file = await readFile({} as never, { status: 200, headers, body, text: async () => "" });
    expect([file.name, file.size, file.type]).toEqual([name, 0, "application/octet-stream"]);
  });
});

describe("recordings", () => {
  const api = {
    schemaHash: "",
    structs: {
      Pet: {
        id: "number",
        name: "text",
        isOld: "truth",
        key: "hidden",
        tags: { list: "text" },
        byName: { map: { struct: "Pet" } },
        loop: { alias: "Loop" },
      },
    },
    aliases: { Loop: { list: { alias: "Loop" } } },
    methods: {},
  } as const;

  test.each<[object, object]>([
    [
      { id: 1, name: "a" },
      { id: 1, name: "a" },
    ],
    [{ id: "-12.5" }, { id: "-12.5" }],
    [{ id: "1".repeat(400) }, { id: "1".repeat(400) }],
    [{ id: "1".repeat(401) }, { id: "[redacted]" }],
    [{ id: 5n }, { id: 5n }],
    [{ id: "a" }, { id: "[redacted]" }],
    [{ id: "" }, { id: "[redacted]" }],
    [{ name: 5 }, { name: 5 }],
    [{ name: {} }, { name: "[redacted]" }],
    [{ isOld: true }, { isOld: true }],
    [{ isOld: "true" }, { isOld: "true" }],
    [{ isOld: "false" }, { isOld: "false" }],
    [{ isOld: "no" }, { isOld: "[redacted]" }],
    [{ key: "k" }, { key: "[redacted]" }],
    [{ key: null }, { key: null }],
    [{ tags: ["a", {}] }, { tags: ["a", "[redacted]"] }],
    [{ tags: "a" }, { tags: "[redacted]" }],
    [{ byName: { x: { id: 1, key: "k" } } }, { byName: { x: { id: 1, key: "[redacted]" } } }],
    [{ byName: [] }, { byName: "[redacted]" }],
    [{ other: 1, constructor: 2 }, {}],
    [{ loop: [[], [[]]] }, { loop: [[], [[]]] }],
  ])("%o is recorded as %o", (body, expected) => {
    expect(redact(body, "Pet", api)).toEqual(expected);
  });

  test.each([
    [64, true],
    [65, false],
  ])("at %i levels, values are recorded: %s", (levels, isKept) => {
    let list: unknown = [];
    for (let level = 1; level < levels; level++) list = [list];
    expect(JSON.stringify(redact({ loop: list }, "Pet", api)).includes("redacted")).toBe(!isKept);
  });

  const line = (text: string): string => `{"service":"${text}"}\n`;

  test.each([
    [0, 1],
    [-1, 0],
  ])("a file whose limit is %i bytes beside its lines", async (more, count) => {
    using dir = folder({});
    const path = join(dir.path, "calls");
    const reasons: string[] = [];
    const maxBytes = line("é").length + 1 + more;
    const file = new RecordingFile(path, { maxBytes, onStop: (reason) => reasons.push(reason) });
    await file.append([line("é")]);
    await file.append([line("b")]);
    await file.close();
    expect(readFileSync(path, "utf8")).toBe(line("é").repeat(count));
    expect(reasons).toEqual([`the file reached its limit of ${maxBytes} bytes`]);
  });

  test.each([
    ["", line("b")],
    [line("a"), line("a") + line("b")],
    [`${line("a")}{"service":"c`, line("a") + line("b")],
    ['{"service":"c', line("b")],
    ["other text\n", undefined],
  ])("a file with %j is continued", async (before, after) => {
    using dir = folder({ calls: before });
    const reasons: string[] = [];
    const file = new RecordingFile(join(dir.path, "calls"), {
      maxBytes: 1_000,
      onStop: (reason) => reasons.push(reason),
    });
    await file.append([line("b")]);
    await file.close();
    expect(readFileSync(join(dir.path, "calls"), "utf8")).toBe(after ?? before);
    expect(reasons).toEqual(after === undefined ? ["the file is not a recording"] : []);
  });
});

describe("values of routes", () => {
  const parameter = (more: object) => ({ name: "a", type: "uint8", ...more });
  const request = (query: string, more: object = {}): string => {
    const route = { definition: { parameters: [], query: [parameter(more)] }, positions: [] } as never;
    const found = requestOfUrl(route, "/", query, undefined);
    return found instanceof BodyFault ? `${found.reason} | ${found.issues?.listed[0]?.message}` : found;
  };

  test.each<[string, object, string]>([
    ["a=5", {}, '{"a":5}'],
    ["a=5&a=6", {}, '{"a":5}'],
    ["&&b=%ZZ&a=5", {}, '{"a":5}'],
    ["a", { type: "string" }, '{"a":""}'],
    ["a=b=c", { type: "string" }, '{"a":"b=c"}'],
    ["a=b+c%2B", { type: "string" }, '{"a":"b c+"}'],
    ["", { isOptional: true }, "{}"],
    ["", { isList: true }, '{"a":[]}'],
    ["a=1&a=2", { isList: true }, '{"a":[1,2]}'],
    ["", {}, "missing query param 'a' | expected a valid uint8, found nothing"],
    ["a=x", {}, 'invalid query param \'a\': "x" is not a valid uint8 | expected a valid uint8, found "x"'],
    [
      "a=x",
      { isSecret: true },
      "invalid query param 'a': the value is not a valid uint8 | expected a valid uint8, found text",
    ],
    [
      "a=%ZZ",
      {},
      "invalid query param 'a': malformed percent-encoding | expected percent-encoded UTF-8, found text",
    ],
    ["%ZZ=1", {}, "malformed percent-encoding in the query | undefined"],
    [
      `a=${"x".repeat(60)}`,
      {},
      `invalid query param 'a': "${"x".repeat(60)}" is not a valid uint8 | expected a valid uint8, found "${"x".repeat(60)}"`,
    ],
    [
      `a=${"x".repeat(61)}`,
      {},
      `invalid query param 'a': "${"x".repeat(60)}…" is not a valid uint8 | expected a valid uint8, found "${"x".repeat(60)}…"`,
    ],
  ])("%j of %j: %s", (query, more, expected) => {
    expect(request(query, more)).toBe(expected);
  });
});

const mcpMethod = (name: string, more: Partial<McpMethod> = {}): McpMethod => ({
  name,
  request: "Ask",
  response: "Reply",
  path: `/rpc/${name}`,
  ...more,
});

const mcp = (methods: readonly McpMethod[], fields: readonly string[] = []): McpApi => ({
  name: "t",
  version: "v1",
  methods,
  types: {
    Ask: { kind: "struct", fields: fields.map((name) => ({ name, type: "string" })) },
    Reply: { kind: "struct", fields: [] },
    Loop: { kind: "alias", type: "Loop" },
    Id: { kind: "alias", type: "uint64" },
  },
  errors: {},
});

describe("tools for agents", () => {
  test.each([
    ["getUserIDs of 2 repos", "get user id 2 repo"],
    ["HTTPStatus", "http status"],
    ["the user's names", "user nam"],
    ["Bücher kaufen", "bücher kaufen"],
  ])("the words of %s are %s", (text, words) => {
    expect(wordsOf(text).join(" ")).toBe(words);
  });

  test.each([
    ["creates", "creat"],
    ["created", "creat"],
    ["creating", "creat"],
    ["creation", "creat"],
    ["stopped", "stop"],
    ["policies", "polici"],
    ["boxes", "box"],
    ["status", "status"],
    ["class", "class"],
    ["used", "used"],
    ["ids", "ids"],
    ["ring", "ring"],
    ["a1bs", "a1bs"],
    ["being", "being"],
    ["user", "user"],
    ["dues", "du"],
  ])("the stem of %s is %s", (word, expected) => {
    expect(stem(word)).toBe(expected);
  });

  test.each([
    ["get", "get"],
    ["look", "get"],
    ["list", "list"],
    ["find", "search"],
    ["add", "create"],
    ["patch", "update"],
    ["remov", "delete"],
    ["pet", undefined],
  ])("%s says %s", (word, action) => {
    expect(actionOf(word)).toBe(action);
  });

  test.each([
    ["[]Item", { kind: "list", item: "Item" }],
    ["map<string,[]Item>", { kind: "map", key: "string", value: "[]Item" }],
    ["Item", { kind: "name", name: "Item" }],
  ])("the type %s", (type, shape) => {
    expect(shapeOf(type)).toEqual(shape);
  });

  test("types refer to types, and aliases may be circular", () => {
    expect(typeNames("map<Key,[]map<string,Item>>")).toEqual(["Key", "string", "Item"]);
    expect([unaliased(mcp([]), "Id"), unaliased(mcp([]), "Loop"), unaliased(mcp([]), "string")]).toEqual([
      "uint64",
      "any",
      "string",
    ]);
  });

  test.each<[readonly string[], Partial<McpMethod>, string]>([
    [[], {}, "S.M() [changes data]"],
    [["a"], { isRead: true, isIdempotent: true }, "S.M(a) [read-only]"],
    [["a"], { isIdempotent: true, isStream: true }, "S.M(a) [changes data, safe to repeat, stream]"],
    [[], { deprecated: "", docs: "Does it. And more." }, "S.M() [changes data, deprecated] Does it."],
    [[..."abcdefgh"], {}, "S.M(a, b, c, d, e, f, g, h) [changes data]"],
    [[..."abcdefghi"], {}, "S.M(a, b, c, d, e, f, g, h, …) [changes data]"],
    [[], { docs: "x".repeat(160) }, `S.M() [changes data] ${"x".repeat(160)}`],
    [[], { docs: "x".repeat(161) }, `S.M() [changes data] ${"x".repeat(159)}…`],
  ])("the line of a method with the fields %j and %j", (fields, more, expected) => {
    const method = mcpMethod("S.M", more);
    expect(methodLine(method, mcp([method], fields))).toBe(expected);
  });

  test("a method without a response returns a file", () => {
    const { response: _, ...method } = mcpMethod("S.M", { files: [{ name: "f" }] });
    expect(methodLine(method, mcp([method]))).toBe("S.M(f) [changes data, file]");
  });

  test.each([
    [12_000, false],
    [12_001, true],
  ])("of types of %i characters, all are described: the rest is named %s", (length, isCut) => {
    const block = (name: string, docs: number): number =>
      `// ${"x".repeat(docs)}\ninterface ${name} {\n}`.length;
    const rest = length - block("A", 100);
    const docs = rest - block("B", 0);
    const api = {
      ...mcp([]),
      types: {
        A: { kind: "struct", docs: "x".repeat(100), fields: [] },
        B: { kind: "struct", docs: "x".repeat(docs), fields: [] },
      },
    } as McpApi;
    expect(
      describeTypes(["A", "B"], undefined, api).includes("Types not shown, search for their names: B"),
    ).toBe(isCut);
  });

  test.each<[string, readonly string[]]>([
    ["get pets", ["S.GetPet", "S.ListPets", "S.DeletePet"]],
    ["which pets are there?", ["S.GetPet", "S.ListPets", "S.DeletePet"]],
    ["remove a pet", ["S.DeletePet", "S.GetPet", "S.ListPets"]],
    ["ordeers", ["S.CreateOrder"]],
    ["lisdt", ["S.ListPets"]],
    ["lisd", []],
    ["nothing of that", []],
  ])("the search for %j", (query, names) => {
    const methods = ["S.GetPet", "S.ListPets", "S.DeletePet", "S.CreateOrder"].map((name) => mcpMethod(name));
    const found = new McpSearch(mcp(methods), methods).find(query, 3);
    expect(found.map(({ name }) => name)).toEqual(names);
  });

  test.each<[unknown, number, string, readonly string[]]>([
    [{ a: "x" }, 9, '{"a":"x"}', []],
    [{ a: "xy" }, 9, "null", ["/: everything"]],
    [[1, 2, 3, 4, 5, 6], 9, "[1,2,3,4]", ["/: 4 of 6 items"]],
    [{ a: "x".repeat(5_000) }, 4_020, `{"a":"${"x".repeat(4_000)}…"}`, ["/a: 4000 of 5000 characters"]],
    [{ a: "x".repeat(5_000) }, 4_010, `{"a":"${"x".repeat(500)}…"}`, ["/a: 500 of 5000 characters"]],
    [{ a: "x".repeat(5_000) }, 200, `{"a":"${"x".repeat(100)}…"}`, ["/a: 100 of 5000 characters"]],
    [
      { a: { b: { c: { d: { e: 1, f: "y".repeat(90) } } } } },
      60,
      '{"a":{"b":{"c":{"d":{}}}}}',
      ["/a/b/c/d: all fields"],
    ],
    [undefined, 9, "null", []],
  ])("%j is cut", (value, maxBytes, text, cuts) => {
    expect(cutJson(value, maxBytes)).toMatchObject({ text, cuts });
  });

  test("cuts at many places are listed once for each kind of place", () => {
    const cuts = Array.from({ length: 12 }, (_, index) => `/list/${index}/name: 1 of 2 characters`);
    expect(describeCuts({ text: "", cuts }, 9, "Ask for less.")).toBe(
      "Cut to 9 bytes. Kept /list/*/name: 1 of 2 characters. Ask for less.",
    );
    const kinds = (count: number) => Array.from({ length: count }, (_, index) => `/f${index}: x`);
    expect(describeCuts({ text: "", cuts: kinds(8) }, 9, "A.")).not.toContain("more");
    expect(describeCuts({ text: "", cuts: kinds(9) }, 9, "A.")).toContain("; and 1 more. A.");
  });

  const withPath = mcpMethod("S.M", { path: "/rpc/{id}/x", verb: "GET", query: ["q"] });

  test.each<[unknown, object]>([
    [
      { id: "a/b", q: ["1", null, "2 3"] },
      { path: "/rpc/a%2Fb/x?q=1&q=2%203", method: "GET", headers: {} },
    ],
    [{ id: 5 }, { path: "/rpc/5/x", method: "GET" }],
    [{}, [{ path: ["id"], message: 'expected text other than "", "." and "..", found nothing' }]],
    [{ id: "." }, [{ path: ["id"], found: '"."' }]],
    [{ id: ".." }, [{ path: ["id"], found: '".."' }]],
    [[], [{ path: [], message: "expected an object, found a list" }]],
    ["x", [{ message: 'expected an object, found "x"' }]],
    [null, [{ message: "expected an object, found null" }]],
  ])("the request of a call with %j", (given, expected) => {
    expect(callRequest(mcp([withPath], ["id", "q"]), withPath, given)).toMatchObject(expected);
  });

  test.each<[unknown, boolean]>([
    [{ name: "a", text: "x" }, true],
    [{ text: "x".repeat(uploadMaxBytes) }, true],
    [{ text: "x".repeat(uploadMaxBytes + 1) }, false],
    [{ base64: "AAA=" }, true],
    [{ base64: "%" }, false],
    [{ base64: "AAA=", text: "x" }, false],
    [{ name: 1, text: "x" }, false],
    [{ type: 1, text: "x" }, false],
    [{}, false],
    ["x", false],
  ])("a file of a call: case %#", (file, isValid) => {
    const method = mcpMethod("S.M", { files: [{ name: "f" }] });
    const request = callRequest(mcp([method]), method, { f: file });
    expect("path" in request).toBe(isValid);
    if ("path" in request) expect((request.body as FormData).get("json")).toBe('{"f":null}');
  });
});
