import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { Readiness } from "../../../../server/host/observability/admin-server.ts";
import { openLog } from "../../../../server/host/observability/log.ts";
import { lastKnown } from "../../../../server/host/observability/metrics.ts";
import { runHost, startHost } from "../../../support/host.ts";

interface Told {
  readonly url: string;
  readonly adminUrl: string;
}

async function ping(url: string, path = "/rpc/API/Ping", webrpc?: string): Promise<Response> {
  const headers = { "content-type": "application/json", ...(webrpc === undefined ? {} : { webrpc }) };
  return fetch(`${url}${path}`, { method: "POST", headers, body: "{}" });
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}

describe("a running host", () => {
  test("serves health, readiness and metrics on a separate port", async () => {
    await using host = await startHost();
    const { url, adminUrl } = host as unknown as Told;
    expect(new URL(adminUrl).hostname).toBe("127.0.0.1");
    await ping(url);
    await ping(url, "/rpc/API/Ping", "webrpc@v0.44.0;gen-typescript@v0.30.0;platform@v0.0.1");
    await ping(url, "/rpc/API/Ping", `webrpc;gen;platform@${"9".repeat(20)}`);
    await ping(url, "/rpc/API/Nope");
    expect(await (await fetch(`${adminUrl}/healthz`)).json()).toEqual({ status: "ok" });
    const ready = await fetch(`${adminUrl}/readyz`);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toEqual({ ready: true, checks: { host: "ok", database: "ok" } });
    const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
    expect(metrics).toContain('platform_calls_total{service="API",method="Ping",error=""} 3');
    for (const version of ["none", "v0.0.1", "other"])
      expect(metrics).toContain(
        `platform_client_calls_total{service="API",method="Ping",version="${version}"} 1`,
      );
    expect(metrics).toContain('platform_calls_total{service="",method="",error="WebrpcBadRoute"} 1');
    expect(metrics).toMatch(/^platform_database_connections \d/m);
    expect(metrics).toMatch(/^platform_orders_expired_total \d/m);
    expect(metrics).not.toContain("Nope");
    expect((await fetch(`${adminUrl}/healthz`, { method: "POST" })).status).toBe(405);
    expect((await fetch(`${adminUrl}/__proto__`)).status).toBe(404);
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
  });

  test("logs warnings of Node and its packages as JSON", async () => {
    const program = 'setInterval(()=>process.emitWarning("odd"),50).unref()';
    const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(program)}`;
    await using host = await startHost({ env: { NODE_OPTIONS } });
    await expect.poll(host.err).toMatch(/^{"level":"warn",.*"warning":"Warning","msg":"odd"}$/m);
  });

  test("logs each call as one line of JSON with its id, without its content", async () => {
    await using host = await startHost();
    const headers = {
      "content-type": "application/json",
      "x-request-id": "mine-1",
      "x-access-key": "AQAA-key",
      webrpc: "webrpc@v0.44.0;gen-typescript@v0.30.0;platform@v0.0.1",
    };
    await fetch(`${host.url}/rpc/API/GetSwapPrice?q=secret`, {
      method: "POST",
      headers,
      body: '{"user":"me"}',
    });
    for (const length of [186, 187, 188])
      await fetch(`${host.url}/rpc/API/Nope${"e".repeat(length)}?q=secret`, { headers });
    await host.stop();
    const lines = host
      .err()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.filter(({ msg }) => msg === "call")).toEqual([
      expect.objectContaining({
        level: "info",
        requestId: "mine-1",
        service: "API",
        method: "GetSwapPrice",
        clientVersion: "v0.0.1",
        clientGenerator: "gen-typescript v0.30.0",
      }),
      ...[186, 187, 187].map((shown) =>
        expect.objectContaining({ status: 404, path: `/rpc/API/Nope${"e".repeat(shown)}` }),
      ),
    ]);
    expect(host.err()).not.toMatch(/AQAA-key|secret|"me"/);
  });

  test.each([
    [[], undefined],
    [["--log-addresses"], "127.0.0.1"],
  ])("the log and the metrics say whose call it was (settings %j)", async (args, address) => {
    await using host = await startHost({ args: ["--networks", "polygon,base", ...args] });
    const call = (path: string, body: object) =>
      fetch(`${host.url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-access-key": host.accessKey },
        body: JSON.stringify(body),
      });
    const contractAddress = `0x${"1".repeat(40)}`;
    const found = await call("/base/rpc/Marketplace/GetFloorOrder", { contractAddress });
    await call("/rpc/Metadata/TokenCollectionFilters", { chainId: "polygon", contractAddress });
    await ping(host.url);
    const { adminUrl } = host as unknown as Told;
    const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
    expect(metrics).toContain(`platform_project_calls_total{project="${host.projectId}",error=""} 2`);
    await host.stop();
    const calls = host
      .err()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => msg === "call");
    const [project, keyPrefix] = [host.projectId, host.accessKey.slice(0, 16)];
    const from = { address };
    expect(calls).toMatchObject([
      { method: "GetFloorOrder", project, keyPrefix, network: "base", ...(address && from) },
      { method: "TokenCollectionFilters", project, keyPrefix, network: "polygon", ...(address && from) },
      { method: "Ping" },
    ]);
    expect(calls[0]?.["requestId"]).toBe(found.headers.get("x-request-id"));
    expect(calls[2]).not.toHaveProperty("project");
    if (address === undefined) for (const each of calls) expect(each).not.toHaveProperty("address");
  });

  test("finishes running calls when it stops, and is not ready meanwhile", async () => {
    await using host = await startHost({ args: ["--stop-delay-seconds", "1"] });
    const { adminUrl } = host as unknown as Told;
    const port = Number(new URL(host.url).port);
    const socket = connect(port, "127.0.0.1");
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk;
    });
    socket.write(
      "POST /rpc/API/Ping HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{",
    );
    await sleep(100);
    const stopped = host.stop();
    await sleep(200);
    const ready = await fetch(`${adminUrl}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ checks: { host: "stopping" } });
    expect((await ping(host.url)).status).toBe(200);
    while (await isListening(port)) await sleep(20);
    socket.write("}");
    expect(await stopped).toBe(0);
    expect(received).toMatch(/^HTTP\/1\.1 200 /);
    expect(received).toMatch(/Connection: close/);
  });

  test("a second signal ends it immediately", async () => {
    await using host = await startHost();
    const socket = connect(Number(new URL(host.url).port), "127.0.0.1");
    socket.on("error", () => {});
    socket.write(
      "POST /rpc/API/Ping HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{",
    );
    await sleep(100);
    const ended = once(host.process, "exit");
    host.process.kill("SIGTERM");
    await sleep(200);
    host.process.kill("SIGTERM");
    expect(await ended).toEqual([1, null]);
  });

  test("hosts the selected services, in any letter case; the others are unknown", async () => {
    await using host = await startHost({ args: ["--services", "marketplace,metadata"] });
    expect((await ping(host.url, "/rpc/Metadata/Ping")).status).toBe(200);
    expect((await ping(host.url, "/polygon/rpc/Marketplace/Ping")).status).toBe(200);
    expect((await ping(host.url, "/rpc/API/Ping")).status).toBe(404);
    const { code, err } = await runHost(["--services", "marketplac,metadata"]);
    expect(code).toBe(2);
    expect(err).toContain('unknown service "marketplac"; did you mean "Marketplace"?');
  });
});

test("traces are sent to the configured collector", async () => {
  const bodies: string[] = [];
  const collector = createServer((req, res) => {
    let body = "";
    req.setEncoding("utf8").on("data", (chunk: string) => {
      body += chunk;
    });
    req.on("end", () => {
      bodies.push(body);
      res.end("{}");
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  const { port } = collector.address() as AddressInfo;
  {
    await using host = await startHost({ args: ["--tracing-url", `http://127.0.0.1:${port}/v1/traces`] });
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const headers = { "content-type": "application/json", traceparent };
    await fetch(`${host.url}/rpc/API/Ping`, { method: "POST", headers, body: "{}" });
    expect(await host.stop()).toBe(0);
  }
  collector.close();
  const { resourceSpans } = JSON.parse(bodies.join("")) as {
    resourceSpans: { scopeSpans: { spans: object[] }[] }[];
  };
  expect(resourceSpans[0]?.scopeSpans[0]?.spans).toMatchObject([
    { name: "API/Ping", traceId: "0af7651916cd43dd8448eb211c80319c", parentSpanId: "b7ad6b7169203331" },
  ]);
});

describe("the log", () => {
  function written(errorMessages: boolean, write: (log: ReturnType<typeof openLog>) => void): string {
    let text = "";
    const to = {
      write: (line: string): void => {
        text += line;
      },
    };
    write(openLog({ level: "debug", fields: ["email", "secret"], errorMessages, to }));
    return text;
  }

  test("hides marked fields and keys at any depth, and secrets by their form in any text", () => {
    const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJwcm9qZWN0IjoxfQ.c2lnbmF0dXJl";
    const key = "AQAAAAAAAEGvyZiWA9FMslYeG_yayXaHnSI";
    const text = written(true, (log) => {
      log.info({ listener: { secret: "abc", nested: [{ Email: "x" }] }, Authorization: "y" }, `with ${jwt}`);
      log.info({ url: "postgres://me:pw@host/db", note: `key ${key}, whsec_abc=, a@b.example` }, "text");
    });
    expect(text).not.toMatch(/abc|"x"|"y"|eyJ|AQAAA|pw|a@b/);
    expect(text).toContain('"url":"postgres://[redacted]@host/db"');
  });

  test("logs an error's type, code and frames, and its message in a sandbox only", () => {
    const error = Object.assign(new RangeError("the row of Alice"), { code: "23505", detail: "Alice" });
    const told = written(false, (log) => log.error({ cause: error }, "call"));
    expect(JSON.parse(told)).toMatchObject({
      cause: {
        type: "RangeError",
        code: "23505",
        frames: expect.arrayContaining([expect.stringContaining("operations.process.test.ts")]),
      },
    });
    expect(told).not.toContain("Alice");
    expect(written(true, (log) => log.error({ cause: error }, "call"))).toContain("the row of Alice");
  });
});

describe("readiness", () => {
  test("every part is checked; one that throws, fails or takes too long is not ready", async () => {
    const readiness = new Readiness();
    readiness.started();
    expect(await readiness.report()).toEqual({ ready: true, checks: { host: "ok" } });
    readiness.register("good", async () => undefined);
    readiness.register("away", async () => {
      throw Object.assign(new Error("secret"), { code: "ECONNREFUSED" });
    });
    readiness.register("behind", async () => "300 blocks behind");
    readiness.register("silent", () => new Promise(() => {}));
    expect(await readiness.report()).toEqual({
      ready: false,
      checks: {
        host: "ok",
        good: "ok",
        away: "failed: ECONNREFUSED",
        behind: "300 blocks behind",
        silent: "no response within 2000 ms",
      },
    });
  });
});

test("a number that is not read in time is the last known one, and is read only once", async () => {
  const answers = [async () => 7, () => new Promise<number>(() => {})];
  let asked = 0;
  const lately = lastKnown(
    () => answers[asked++]?.() ?? Promise.reject(new Error("asked again")),
    Number.NaN,
  );
  expect(await lately()).toBe(7);
  expect(await Promise.all([lately(), lately()])).toEqual([7, 7]);
  expect(asked).toBe(2);
  expect(await lastKnown(() => Promise.reject(new Error("away")), Number.NaN)()).toBe(Number.NaN);
});

test.each([
  [59_999, 1],
  [60_000, 2],
  [60_001, 2],
])("a value with a maximum age of a minute, after %i ms, was read %i times", async (ms, reads) => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const read = vi.fn(async () => 7);
    const known = lastKnown(read, Number.NaN, 60_000);
    await known();
    vi.advanceTimersByTime(ms);
    expect(await known()).toBe(7);
    expect(read).toHaveBeenCalledTimes(reads);
  } finally {
    vi.useRealTimers();
  }
});
