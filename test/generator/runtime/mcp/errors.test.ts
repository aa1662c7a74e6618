/** Errors that the tool `call` returns. */
import { describe, expect, test } from "vitest";
import { json, textOf, toolsOf } from "./api.ts";
import { api, recorded } from "./recorded.ts";

describe("errors", () => {
  const errorOf = async (body: string, status: number) => {
    const { structuredContent, isError } = await recorded(() => json(body, status)).call("Orders.GetOrder", {
      id: 1,
    });
    expect(isError).toBe(true);
    return structuredContent?.["error"];
  };

  test.each<[string, string, number, object]>([
    [
      "of the schema, without their cause",
      '{"error":"NotFound","code":1,"msg":"no such order","cause":"row 5"}',
      404,
      { name: "NotFound", code: 1, status: 404, message: "no such order" },
    ],
    [
      "with issues",
      '{"error":"WebrpcBadRequest","code":-4,"msg":"bad request","cause":"x","issues":[{"message":"expected a, found b","path":["a/b",3],"expected":"a","found":"b"}]}',
      400,
      {
        name: "WebrpcBadRequest",
        code: -4,
        status: 400,
        message: "bad request",
        issues: [{ pointer: "/a~1b/3", message: "expected a, found b" }],
      },
    ],
    [
      "of a request, with their cause",
      '{"error":"WebrpcBadRequest","code":-4,"msg":"bad request","cause":"not JSON"}',
      400,
      { name: "WebrpcBadRequest", code: -4, status: 400, message: "bad request: not JSON" },
    ],
    [
      "of a proxy",
      "<h1>inside</h1>",
      502,
      { name: "InvalidResponse", status: 502, message: expect.not.stringContaining("inside") },
    ],
    [
      "of another protocol",
      '{"detail":"inside"}',
      500,
      { name: "InvalidResponse", status: 500, message: expect.not.stringContaining("inside") },
    ],
    [
      "of a redirect",
      "",
      302,
      { name: "InvalidResponse", status: 302, message: expect.stringContaining("HTTP 302") },
    ],
    [
      "of a response that is not an object",
      "[]",
      200,
      { name: "InvalidResponse", status: 200, message: expect.stringContaining("not a JSON object") },
    ],
  ])("%s", async (_, body, status, expected) => {
    expect(await errorOf(body, status)).toEqual(expected);
  });

  test("of the network go to onError", async () => {
    const seen: unknown[] = [];
    const fault = new Error("inside");
    const { call } = recorded(() => Promise.reject(fault), { onError: (error) => seen.push(error) });
    const result = await call("Orders.GetOrder", { id: 1 });
    expect(textOf(result)).toBe(
      '{"error":{"name":"NoResponse","message":"The API could not be reached, or the connection broke."}}',
    );
    expect(seen).toEqual([fault]);
  });

  test("of a slow API", async () => {
    const target = ({ signal }: Request): Promise<Response> =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const { call } = toolsOf(api, target, { timeoutMs: 5 });
    expect(textOf(await call("Orders.GetOrder", { id: 1 }))).toContain("did not respond within 5 ms");
  });

  test.each([499, 500, 501])(
    "of a request with a cause of %i characters have at most 500",
    async (length) => {
      const error = { error: "WebrpcBadRequest", code: -4, msg: "bad request", cause: "x".repeat(length) };
      expect(await errorOf(JSON.stringify(error), 400)).toMatchObject({
        message: `bad request: ${"x".repeat(Math.min(length, 500))}`,
      });
    },
  );
});
