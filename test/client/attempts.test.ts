import { expect, test } from "vitest";
import { connect, type PlatformSettings } from "../../client/index.ts";

/** Makes a call that is safe to repeat and always fails. */
async function failingCall(
  settings: Partial<PlatformSettings>,
): Promise<{ readonly attempts: number; readonly timeoutMs: number | undefined }> {
  let attempts = 0;
  let timeoutMs: number | undefined;
  const platform = connect({
    url: "http://host",
    transport: async () => {
      attempts++;
      throw new TypeError("connection lost");
    },
    interceptor: (call, next) => {
      timeoutMs = call.timeoutMs;
      return next(call);
    },
    ...settings,
  });
  await expect(platform.api.ping()).rejects.toThrow();
  return { attempts, timeoutMs };
}

test.each([
  [undefined, 3],
  [0, 1],
  [1, 2],
])("with the setting retries %s, a failing call has %i attempts", async (retries, attempts) => {
  const found = await failingCall(retries === undefined ? {} : { retries });
  expect(found.attempts).toBe(attempts);
});

test.each([
  [undefined, 30_000],
  [0, 0],
  [1_000, 1_000],
])("with the setting timeoutMs %s, the timeout is %i ms", async (timeoutMs, expected) => {
  const found = await failingCall({ retries: 0, ...(timeoutMs !== undefined && { timeoutMs }) });
  expect(found.timeoutMs).toBe(expected);
});
