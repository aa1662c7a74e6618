import { describe, expect, test } from "vitest";
import { readResponse } from "../../../generator/runtime/src/client.ts";
import { RpcError, rpcErrorClass } from "../../../generator/runtime/src/errors.ts";

describe("errors", () => {
  const make = (code: number, status: number, retryAfter?: string): RpcError =>
    new RpcError({
      name: "E",
      code,
      status,
      message: "m",
      ...(retryAfter === undefined ? {} : { retryAfter }),
    });

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

  test("a class has the errors with its code and its name: another schema may use the code", () => {
    const info = { name: "NameMissing", code: 100, message: "a name is missing", status: 400 } as const;
    const NameMissing = rpcErrorClass(info);
    expect(new RpcError(info)).toBeInstanceOf(NameMissing);
    expect(new NameMissing()).toBeInstanceOf(NameMissing);
    for (const other of [{ name: "NoInvoice" }, { code: 101 }])
      expect(new RpcError({ ...info, ...other })).not.toBeInstanceOf(NameMissing);
  });

  const method = {
    schema: { failures: { [-5]: { name: "Bad", code: -5, message: "bad", status: 500 } } },
  } as never;
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
