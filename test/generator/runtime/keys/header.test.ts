import { describe, expect, test } from "vitest";
import { bodyOf, shop } from "./shop.ts";

describe("the header", () => {
  const missing = bodyOf(400, "the header Idempotency-Key is missing");
  const malformed = bodyOf(
    400,
    "invalid header Idempotency-Key: expected 1 to 255 printable ASCII characters in double quotes",
  );
  const long = (length: number) => `"${"k".repeat(length)}"`;

  test.each([
    ["one character", '"k"', 200],
    ["254 characters", long(254), 200],
    ["255 characters", long(255), 200],
    ["256 characters", long(256), 400],
    ["255 characters without quotes", "k".repeat(255), 200],
    ["256 characters without quotes", "k".repeat(256), 400],
    ["255 escaped characters", `"${'\\"'.repeat(255)}"`, 200],
    ["nothing", "", 400],
    ["an empty string", '""', 400],
    ["a string without its end", '"k', 400],
    ["two keys", '"a", "b"', 400],
    ["two keys without quotes", "a, b", 400],
    ["a character outside of ASCII", '"\u00e9"', 400],
    ["a control character", '"a\tb"', 400],
    ["an unknown escape", '"a\\b"', 400],
    ["spaces around", '  "k"  ', 200],
    ["a parameter", '"k";a=1', 400],
  ])("with %s gets the right status", async (_about, key, status) => {
    const { send, runs } = shop();
    const { status: found, body } = await send({ key });
    expect(found).toBe(status);
    if (status === 400) expect(body).toEqual(malformed);
    expect(runs()).toBe(status === 200 ? 1 : 0);
  });

  test("may have no quotes, and escapes do not change the key", async () => {
    const { send, runs } = shop();
    await send({ key: '"k-1"' });
    await send({ key: "k-1" });
    expect(runs()).toBe(1);
    await send({ key: '"a\\\\b"' });
    await send({ key: "a\\b" });
    expect(runs()).toBe(2);
  });

  test("may be missing, unless it is required", async () => {
    const optional = shop();
    for (let count = 0; count < 2; count++) await optional.send({});
    expect(optional.runs()).toBe(2);
    const required = shop(undefined, {}, { isRequired: true });
    expect((await required.send({})).body).toEqual(missing);
    expect((await required.send({ key: '"k"' })).status).toBe(200);
    expect((await required.send({ method: "Plain" })).status).toBe(200);
  });
});
