import { describe, expect, test } from "vitest";
import {
  faultOfHeaders,
  isValidHeader,
  validHeaders,
  withMoreHeaders,
} from "../../../generator/runtime/src/handler.ts";
import { headersOf } from "./headers-of.ts";

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
