import { describe, expect, test } from "vitest";
import { curlOf } from "../../../../../generator/tools/cli/contract-test/send-calls.ts";
import type { TestCall } from "../../../../../generator/verify/contract-test/call.ts";

describe("a call of the contract test in curl", () => {
  const target = { address: "http://h", credentials: { "X-Key": "k" } };

  test.each<[string, TestCall, string, string]>([
    [
      "POST",
      { path: "/a", body: { a: "it's" } },
      "response-schema",
      `curl -s http://h/a -H 'content-type: application/json' -H "X-Key: $X_KEY" -d '{"a":"it'\\''s"}'`,
    ],
    [
      "GET",
      { verb: "GET", path: "/a?b=1" },
      "response-schema",
      `curl -s 'http://h/a?b=1' -H "X-Key: $X_KEY"`,
    ],
    [
      "GET without credentials",
      { verb: "GET", path: "/a", withoutCredentials: true },
      "credentials",
      "curl -s http://h/a",
    ],
    ["DELETE", { verb: "DELETE", path: "/a", withoutCredentials: true }, "r", "curl -s -X DELETE http://h/a"],
    [
      "QUERY",
      { verb: "QUERY", path: "/a", body: {}, withoutCredentials: true },
      "r",
      "curl -s -X QUERY http://h/a -H 'content-type: application/json' -d '{}'",
    ],
    [
      "HEAD",
      { verb: "HEAD", path: "/a", withoutCredentials: true },
      "cache-headers",
      "curl -s -I http://h/a",
    ],
    [
      "a condition",
      { verb: "GET", path: "/a", withoutCredentials: true, headers: { "if-none-match": '"1"' } },
      "r",
      "curl -s -i http://h/a -H 'if-none-match: \"1\"'",
    ],
    [
      "headers of a response",
      { verb: "GET", path: "/a", withoutCredentials: true },
      "etag-changes",
      "curl -s -i http://h/a",
    ],
    [
      "files",
      { path: "/a", body: {}, files: ["f"], withoutCredentials: true },
      "r",
      "curl -s http://h/a --form-string 'json={}' -F 'f=bytes;filename=file.txt'",
    ],
  ])("%s", (_case, call, rule, expected) => {
    expect(curlOf(call, target, rule)).toBe(expected);
  });
});
