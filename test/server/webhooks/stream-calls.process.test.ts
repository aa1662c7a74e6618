/** Calls of SubscribeEvents: keys, rejected requests and limits. */
import { expect, test } from "vitest";
import { connect } from "../../../client/platform.ts";
import { startHost } from "../../support/host.ts";
import { ask, makeKey } from "../../support/operator.ts";
import { contract, filters, transfer, useListenerHost } from "./listener-host.ts";

const shared = useListenerHost();
const { call } = shared;
const wire = { filter: filters };

/** Opens a stream. The response has its headers only. */
async function open(
  from?: string,
  { url, accessKey }: { readonly url: string; readonly accessKey: string } = shared.host,
): Promise<{ readonly response: Response; readonly close: () => void }> {
  const closing = new AbortController();
  const response = await fetch(`${url}/31337/rpc/Indexer/SubscribeEvents`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-access-key": accessKey,
      ...(from === undefined ? {} : { "x-forwarded-for": from }),
    },
    body: JSON.stringify(wire),
    signal: closing.signal,
  });
  return { response, close: () => closing.abort() };
}

test("the access key suffices, and is required", async () => {
  const { response, close } = await open();
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/x-ndjson");
  expect(response.headers.get("stream-position")).toMatch(/^[0-9a-f-]{36}-0$/);
  expect(response.headers.get("access-control-expose-headers")).toContain("Stream-Position");
  close();
  expect(await call("SubscribeEvents", wire, { accessKey: "" })).toMatchObject({ error: "Unauthorized" });
});

test("a stream ends within seconds after its key was disabled", async () => {
  const { id, accessKey } = await makeKey(shared.data, shared.host.projectId);
  const { response } = await open(undefined, { url: shared.host.url, accessKey });
  expect(response.status).toBe(200);
  await ask(shared.data, "keys", "disable", String(id));
  await expect(response.text()).rejects.toThrow("terminated");
});

test.each([
  [
    { ...wire, filter: { ...filters, events: [transfer, "Transfer(addres a)"] } },
    /^\/filter\/events\/1: "addres"/,
  ],
  [{ ...wire, filter: { ...filters, tokenIDs: [`9${"0".repeat(77)}`] } }, /^\/filter\/tokenIDs\/0: /],
  [{ ...wire, chainId: "polygon" }, /polygon/],
])("an invalid request is rejected before a stream starts: %j", async (body, cause) => {
  expect(await call("SubscribeEvents", body)).toMatchObject({
    error: "InvalidArgument",
    cause: expect.stringMatching(cause),
  });
});

test("a network that is not followed is Unavailable, and another position a gap", async () => {
  expect(await call("SubscribeEvents", wire, shared.host, "/base")).toMatchObject({ error: "Unavailable" });
  for (const after of ["x", `${crypto.randomUUID()}-0`])
    expect(await call("SubscribeEvents", { ...wire, after })).toMatchObject({ error: "EventsGap" });
  const { indexer } = connect(shared.host).on(31_337);
  const stream = indexer.subscribeEvents({
    filter: { contractAddresses: [contract], events: [transfer] },
    after: `${crypto.randomUUID()}-0`,
  });
  await expect(stream[Symbol.asyncIterator]().next()).rejects.toMatchObject({ name: "EventsGap" });
});

test("an address may have 20 open streams, and a closed one makes room", async () => {
  const streams: Awaited<ReturnType<typeof open>>[] = [];
  // Streams of earlier tests end soon after their callers have left.
  await expect
    .poll(async () => {
      const next = await open();
      if (next.response.status === 200) streams.push(next);
      return streams.length;
    })
    .toBe(20);
  const { response } = await open();
  expect(response.status).toBe(429);
  expect(response.headers.get("retry-after")).toBe("10");
  expect(response.headers.get("x-ratelimit-scope")).toBe("address-and-key");
  expect(await response.json()).toMatchObject({
    error: "RateLimited",
    cause: "the address and key may have 20 open streams",
  });
  streams[0]?.close();
  await expect
    .poll(async () => {
      const again = await open();
      streams.push(again);
      return again.response.status;
    })
    .toBe(200);
  for (const { close } of streams) close();
});

test("a project may have 1,000 open streams, which are no concurrent calls", async () => {
  await using host = await startHost({
    args: ["--networks", "31337"],
    env: {
      NETWORK_DETAILS: JSON.stringify({ "31337": { follow: true } }),
      RPC_URLS: "31337=http://127.0.0.1:1",
      RATE_LIMIT_PROJECT: "1000000",
      TRUSTED_PROXIES: "127.0.0.1",
      MAX_CONCURRENT_CALLS: "10",
      CONNECTIONS_PER_ADDRESS: "5000",
    },
  });
  const streams: Awaited<ReturnType<typeof open>>[] = [];
  for (let index = 0; index < 1_001; index++) streams.push(await open(`10.0.${index % 100}.1`, host));
  expect(streams.slice(0, 1_000).filter(({ response }) => response.status !== 200)).toEqual([]);
  const last = streams.at(-1)?.response;
  expect(last?.headers.get("x-ratelimit-scope")).toBe("project");
  expect(await last?.json()).toMatchObject({ cause: "the project may have 1000 open streams" });
  for (const { close } of streams) close();
});
