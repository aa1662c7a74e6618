/** Limits of responses and arguments. */
import { describe, expect, test } from "vitest";
import { json, textOf } from "./api.ts";
import { recorded } from "./recorded.ts";

describe("limits", () => {
  const ofBytes = (bytes: number) => json(`{"orders":[],"new":"${"x".repeat(bytes - 22)}"}`);

  test.each([
    ["at 8 MiB", 8 * 1024 * 1024, undefined],
    ["above 8 MiB", 8 * 1024 * 1024 + 1, true],
  ])("a response %s is an error: %s bytes, %s", async (_, bytes, isError) => {
    const { call } = recorded(() => ofBytes(bytes));
    expect(await ofBytes(bytes).text()).toHaveLength(bytes);
    expect((await call("Orders.ListOrders")).isError).toBe(isError);
  });

  test.each([
    [10, 1_000],
    [1_000, 1_000],
    [1_001, 1_001],
  ])("maxBytes %s cuts at %s bytes", async (maxBytes, expected) => {
    const orders = [{ id: 1, names: { a: "x".repeat(2_000) } }];
    const { call } = recorded(() => json(JSON.stringify({ orders })), { maxBytes });
    expect(textOf(await call("Orders.ListOrders"))).toContain(`Cut to ${expected} bytes.`);
  });

  test.each([
    [0, false],
    [1, true],
    [30, true],
    [31, false],
    [1.5, false],
  ])("a search for %s methods is valid: %s", (limit, isValid) => {
    const { validate } = recorded().tools.search.config.inputSchema["~standard"];
    expect(validate({ query: "x", limit }).issues === undefined).toBe(isValid);
  });

  test.each<[string, unknown, string]>([
    ["no object", [], "The arguments must be an object."],
    ["a missing argument", {}, 'The argument "method" is missing.'],
    ["a wrong type", { method: 1 }, 'The argument "method" must be text.'],
    ["a request as list", { method: "A.b", request: [] }, 'The argument "request" must be an object.'],
    ["fields as text", { method: "A.b", fields: "id" }, 'The argument "fields" must be a list of texts.'],
    [
      "an unknown argument",
      { method: "A.b", id: 1 },
      'There is no argument "id". The arguments are method, request, fields.',
    ],
  ])("%s is reported", (_, given, message) => {
    const { validate } = recorded().tools.call.config.inputSchema["~standard"];
    expect(validate(given)).toEqual({ issues: [{ message }] });
  });
});
