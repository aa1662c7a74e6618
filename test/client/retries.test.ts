import { expect, test } from "vitest";
import { connect, type PlatformSettings } from "../../client/index.ts";

/** Counts the calls that the interceptor sees, and the requests of a host that is always overloaded. */
async function countAttempts(settings: Pick<PlatformSettings, "retries">) {
  const counts = { calls: 0, requests: 0 };
  const transport = async () => {
    counts.requests++;
    return { status: 503, headers: { get: () => null }, text: async () => "busy" };
  };
  const { api } = connect({
    url: "http://host",
    transport: transport as never,
    interceptor: (call, next) => {
      counts.calls++;
      return next(call);
    },
    ...settings,
  });
  await api.version({}).catch(() => {});
  return counts;
}

test.each([
  [{}, 3],
  [{ retries: 0 }, 1],
  [{ retries: 1 }, 2],
])("with %j, an interceptor sees one call of %i requests", async (settings, requests) => {
  expect(await countAttempts(settings)).toEqual({ calls: 1, requests });
});
