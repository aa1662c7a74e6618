import { describe, expect, test } from "vitest";
import { match, type Result, result } from "../../../generator/runtime/src/client.ts";
import { RpcError } from "../../../generator/runtime/src/errors.ts";
import { getOrders, ping } from "../../fixtures/market/generated/client.ts";
import { NotFoundError } from "../../fixtures/market/generated/errors.ts";
import { serving } from "../../support/served-client.ts";

describe("outcomes as values", () => {
  test("are returned, not thrown", async () => {
    expect(await result(ping(serving({ status: 200, body: "{}" }).client))).toEqual({ ok: true, value: {} });
    const { client } = serving({ status: 400, body: '{"error":"NotFound","code":3000,"msg":"gone"}' });
    const outcome = await result(getOrders(client, { ids: [] }));
    expect(outcome.ok).toBe(false);
    expect(
      match(outcome, { ok: ({ orders }) => orders.length, NotFound: ({ msg }) => msg, _: () => false }),
    ).toBe("gone");
  });

  test("an error without a matching case is thrown", () => {
    const newer = new RpcError({
      name: "Newer",
      code: 9_000,
      status: 400,
      message: "",
    }) as RpcError as NotFoundError;
    const outcome: Result<number, NotFoundError> = { ok: false, error: newer };
    expect(() => match(outcome, { ok: () => 1, NotFound: () => 2 })).toThrow(newer);
  });

  test("errors of the protocol have a case of their own", () => {
    const outcomeOf = (name: string, code: number): Result<number, NotFoundError> => ({
      ok: false,
      error: new RpcError({ name, code, status: 400, message: "" }) as RpcError as NotFoundError,
    });
    const cases = { ok: () => 1, NotFound: () => 2, protocol: () => 3 };
    expect(match(outcomeOf("WebrpcEndpoint", 0), cases)).toBe(3);
    expect(match(outcomeOf("WebrpcNewer", -99), { ...cases, _: () => 4 })).toBe(3);
    expect(match(outcomeOf("NotFound", 3_000), cases)).toBe(2);
    expect(() => match(outcomeOf("Newer", 9_000), cases)).toThrow(RpcError);
    expect(() => match(outcomeOf("protocol", 9_000), cases)).toThrow(RpcError);
    expect(match(outcomeOf("protocol", 9_000), { ...cases, _: () => 4 })).toBe(4);
  });

  test("other errors are still thrown", async () => {
    const interceptor = async () => {
      throw new RangeError("mine");
    };
    await expect(result(ping({ url: "", interceptor }))).rejects.toThrow(RangeError);
  });
});

test("error classes can be instantiated for tests and mocks", () => {
  const error = new NotFoundError({ cause: "order 7" });
  expect(error).toMatchObject({
    name: "NotFound",
    code: 3000,
    status: 400,
    msg: "Resource not found",
    cause: "order 7",
  });
  expect(error).toBeInstanceOf(NotFoundError);
  expect({}).not.toBeInstanceOf(NotFoundError);
});
