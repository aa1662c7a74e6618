import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { context, propagation, trace } from "@opentelemetry/api";
import { afterEach, expect, test } from "vitest";
import { openTracing } from "../../../../server/host/operations/tracing.ts";

afterEach(() => {
  for (const api of [trace, context, propagation]) api.disable();
});

const calls = 50;

/** Returns how many of the calls reach a collector. */
async function collected(
  samplePercent: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const bodies: Buffer[] = [];
  const collector = createServer(async (req, res) => {
    bodies.push(Buffer.concat(await req.toArray()));
    res.end("{}");
  }).listen(0, "127.0.0.1");
  await once(collector, "listening");
  const { port } = collector.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/v1/traces`;
  {
    await using tracing = await openTracing({ url, samplePercent, version: "test" });
    for (let call = 0; call < calls; call++) await tracing.run("API/Ping", headers, async () => {});
  }
  collector.closeAllConnections();
  collector.close();
  return [
    ...Buffer.concat(bodies)
      .toString()
      .matchAll(/"name":"API\/Ping"/g),
  ].length;
}

test.each([
  [0, [0, 0]],
  // The chance that sampling selects all or none of the calls is 10^-100.
  [1, [0, calls - 1]],
  [99, [1, calls]],
  [100, [calls, calls]],
] as const)("of calls whose caller did not decide %i percent are traced", async (percent, [least, most]) => {
  const count = await collected(percent);
  expect(count).toBeGreaterThanOrEqual(least);
  expect(count).toBeLessThanOrEqual(most);
});

test.each([
  ["01", 0, calls],
  ["00", 100, 0],
])("a caller's decision %s overrides %i percent: %i calls are traced", async (flag, percent, count) => {
  const traceparent = `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-${flag}`;
  expect(await collected(percent, { traceparent })).toBe(count);
});
