import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { context, propagation, trace } from "@opentelemetry/api";
import { afterEach, expect, test, vi } from "vitest";
import { inSpan } from "../../../../server/base/spans.ts";
import { openTracing, type Tracing } from "../../../../server/host/observability/tracing.ts";

afterEach(() => {
  for (const api of [trace, context, propagation]) api.disable();
});

const calls = 50;

/** Traces calls, and returns what reaches a collector. */
async function collect(samplePercent: number, call: (tracing: Tracing) => Promise<void>): Promise<string> {
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
    await call(tracing);
  }
  collector.closeAllConnections();
  collector.close();
  return Buffer.concat(bodies).toString();
}

/** Returns how many of the calls reach a collector. */
async function collected(
  samplePercent: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const text = await collect(samplePercent, async (tracing) => {
    for (let call = 0; call < calls; call++) await tracing.run("API/Ping", headers, async () => {});
  });
  return [...text.matchAll(/"name":"API\/Ping"/g)].length;
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

/** A span's status in OTLP: 0 is unset, 2 is an error. */
test.each([
  [200, undefined, 0],
  [499, "WebrpcClientDisconnected", 0],
  [500, "WebrpcInternalError", 2],
  [503, "Unavailable", 2],
])("a call that ends with %i %s has the status code %i", async (status, error, code) => {
  const text = await collect(100, (tracing) =>
    tracing.run("API/Ping", {}, async () =>
      tracing.ended({ status, error, requestId: "a-1", project: 7, network: "polygon" }),
    ),
  );
  const { resourceSpans } = JSON.parse(text) as Traces;
  const [span] = resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
  expect(span?.status.code).toBe(code);
  const attributes = Object.fromEntries(span?.attributes.map(({ key, value }) => [key, value]) ?? []);
  expect(attributes).toEqual({
    "rpc.system.name": { stringValue: "webrpc" },
    "platform.request_id": { stringValue: "a-1" },
    "platform.project": { intValue: 7 },
    "platform.network": { stringValue: "polygon" },
    "http.response.status_code": { intValue: status },
    ...(error !== undefined && { "error.type": { stringValue: error } }),
  });
});

test("requests to databases, nodes and receivers are spans of their call; outside of calls, only roots are", async () => {
  const span =
    (name: string, startsTrace = false) =>
    () => ({
      name,
      attributes: { "db.query.summary": name },
      startsTrace,
    });
  const text = await collect(100, async (tracing) => {
    await tracing.run("API/Ping", {}, async () => {
      await inSpan(span("read"), async () => tracing.traceId());
      await inSpan(span("fails"), () => Promise.reject(new TypeError("gone"))).catch(() => {});
    });
    await inSpan(span("background"), async () => {});
    await inSpan(span("delivery", true), () => inSpan(span("result"), async () => {}));
  });
  const { resourceSpans } = JSON.parse(text) as Traces;
  const spans = resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
  const nameOf = (id: string | undefined) => spans.find(({ spanId }) => spanId === id)?.name;
  const told = spans.map(({ name, parentSpanId, status }) => [name, nameOf(parentSpanId), status.code]);
  expect(told.toSorted()).toEqual([
    ["API/Ping", undefined, 0],
    ["delivery", undefined, 0],
    ["fails", "API/Ping", 2],
    ["read", "API/Ping", 0],
    ["result", "delivery", 0],
  ]);
  const service = resourceSpans[0]?.resource.attributes.find(({ key }) => key === "service.name");
  expect(service?.value).toEqual({ stringValue: "platform" });
});

test("without tracing, no span is made", async () => {
  const span = vi.fn();
  expect(await inSpan(span, async () => trace.getActiveSpan())).toBeUndefined();
  expect(span).not.toHaveBeenCalled();
});

interface Traces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { readonly key: string; readonly value: object }[] };
    readonly scopeSpans: readonly { readonly spans: readonly TracedSpan[] }[];
  }[];
}

interface TracedSpan {
  readonly name: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status: { readonly code: number };
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}
