import { describe, expect, test } from "vitest";
import {
  BodyFault,
  canonicalJson,
  parseInt64Json,
  printInt64Json,
} from "../../../generator/runtime/src/json.ts";
import { requestOfJsonQuery, targetOf } from "../../../generator/runtime/src/routes.ts";
import { readBounded } from "../../../generator/runtime/src/transport.ts";

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
      BodyFault,
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
  ])("with %i bytes at most, %s is read as %s", async (max, text, expected) => {
    expect(await readBounded(new Response(text).body, max)).toBe(expected);
  });
});
