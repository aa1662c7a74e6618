import { describe, expect, test } from "vitest";
import { errorJson, errorLines, exitCodeOf } from "../../../../../generator/tools/cli/call/send.ts";
import { shellQuote } from "../../../../../generator/tools/cli/output/terminal.ts";
import { connectionFailure, noResponseText } from "../../../../../generator/tools/cli/servers/failures.ts";
import type { RpcError } from "../../../../../generator/verify/client/method-client.ts";

describe("an error", () => {
  const base = { name: "Gone", code: 7, status: 410, msg: "gone", side: "server" } as unknown as RpcError;

  test.each<[string, object, readonly string[]]>([
    ["is short", {}, ["Gone (code 7, HTTP 410): gone"]],
    ["has no status", { status: 0 }, ["Gone (code 7): gone"]],
    ["has a cause", { cause: "c" }, ["Gone (code 7, HTTP 410): gone", "  cause: c"]],
    [
      "has issues, which replace the cause",
      { cause: "c", issues: [{ path: ["a", 0], message: "m" }] },
      ["Gone (code 7, HTTP 410): gone", "  /a/0: m"],
    ],
    ["has no issues", { cause: "c", issues: [] }, ["Gone (code 7, HTTP 410): gone", "  cause: c"]],
    [
      "has data",
      { cause: "c", data: { left: 12345678901234567890n } },
      ["Gone (code 7, HTTP 410): gone", "  cause: c", "  data: {", '    "left": 12345678901234567890', "  }"],
    ],
    ["may be repeated", { retryAfter: "5" }, ["Gone (code 7, HTTP 410): gone", "  retry after: 5"]],
  ])("%s", (_case, more, lines) => {
    expect(errorLines({ ...base, ...more } as RpcError)).toEqual(lines);
    expect(errorJson({ ...base, ...more } as RpcError)).toMatchObject({
      name: "Gone",
      code: 7,
      message: "gone",
    });
  });

  test.each([
    ["server", 7, 1],
    ["server", -8, 1],
    ["client", -4, 1],
    ["client", -8, 4],
    ["transport", -1, 4],
  ])("of the %s with code %i exits with %i", (side, code, exit) => {
    expect(exitCodeOf({ ...base, side, code } as unknown as RpcError)).toBe(exit);
  });

  test.each<[string, object, string, object]>([
    ["a timeout", { name: "TimeoutError" }, "http://h", { reason: "the request timed out" }],
    ["no message", { message: "", code: "ECONNREFUSED" }, "http://h", { reason: "ECONNREFUSED" }],
    ["nothing", { message: "" }, "http://h", { reason: "the connection failed" }],
    [
      "no HTTPS",
      { code: "EPROTO" },
      "https://h:1",
      { reason: "h does not use HTTPS on this port", advice: "Try http:// in the URL" },
    ],
    ["no HTTPS", { code: "ERR_SSL_X" }, "https://h", { reason: "h does not use HTTPS on this port" }],
    ["no HTTP", { code: "ECONNRESET" }, "http://h", { reason: "the server closed the connection" }],
    [
      "no HTTP",
      { code: "UND_ERR_SOCKET" },
      "http://h",
      { advice: "If the server uses HTTPS, write https:// in the URL" },
    ],
    ["a reset", { code: "ECONNRESET", message: "m" }, "https://h", { reason: "m" }],
  ])("of the connection: %s", (_case, fields, url, expected) => {
    const error = Object.assign(new Error("m"), fields);
    expect(connectionFailure(error, url)).toMatchObject(expected);
    const wrapped = Object.assign(new Error("fetch failed"), { cause: error });
    expect(connectionFailure(wrapped, url)).toMatchObject(expected);
  });

  test("of the connection has the usual advice if there is no other", () => {
    expect(noResponseText("http://h", new Error("m"))).toBe(
      "No response from http://h: m. Start the server, or check --url.",
    );
  });

  test.each(["a-b/c.d:1=@%+,_", "a b", "it's", "$x", "", "a;b"])(
    "the word %j is quoted if it must be",
    (word) => {
      const isPlain = word === "a-b/c.d:1=@%+,_";
      expect(shellQuote(word)).toBe(isPlain ? word : `'${word.replaceAll("'", "'\\''")}'`);
    },
  );
});
