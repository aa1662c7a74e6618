import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { afterEach, expect, test } from "vitest";
import { type RunningHost, startHost } from "../../../support/host.ts";

let host: RunningHost | undefined;
afterEach(async () => {
  await host?.[Symbol.asyncDispose]();
});

interface Answer {
  readonly code: number | undefined;
  readonly retryAfter: string | null;
  readonly scope: string | null;
  readonly cause: string | undefined;
}

async function call(
  headers: Readonly<Record<string, string>>,
  path = "/rpc/Metadata/TokenCollectionFilters",
): Promise<Answer> {
  const response = await fetch(`${host?.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: "{}",
  });
  const { code, cause } = (await response.json()) as { readonly code?: number; readonly cause?: string };
  if (code === 1007) expect(response.status).toBe(429);
  return {
    code,
    cause,
    retryAfter: response.headers.get("retry-after"),
    scope: response.headers.get("x-ratelimit-scope"),
  };
}

/** `platform_rate_limited_total` by label, without those that are 0. */
async function countedByLimit(): Promise<Readonly<Record<string, number>>> {
  const text = await (await fetch(`${host?.adminUrl}/metrics`)).text();
  const counts = text.matchAll(/^platform_rate_limited_total\{limit="([^"]+)"\} (\d+)$/gm);
  return Object.fromEntries(
    [...counts]
      .map(([, limit = "", count]) => [limit, Number(count)] as const)
      .filter(([, count]) => count > 0),
  );
}

/** The limits in the log, in the order of its lines. */
async function loggedLimits(): Promise<readonly unknown[]> {
  await host?.stop();
  const lines = (host?.err() ?? "").trim().split("\n");
  const calls = lines.map((line) => JSON.parse(line) as { msg: string; error?: string; rateLimit?: string });
  return calls.flatMap(({ msg, error, rateLimit }) => {
    if (msg !== "call" || (error !== "RateLimited" && rateLimit === undefined)) return [];
    return [rateLimit];
  });
}

async function codes(
  count: number,
  headers: Readonly<Record<string, string>>,
): Promise<(number | undefined)[]> {
  const found: (number | undefined)[] = [];
  for (let index = 0; index < count; index++) found.push((await call(headers)).code);
  return found;
}

test("a project's calls are limited, and one address to a tenth of them", async () => {
  host = await startHost({ args: ["--rate-limit-project", "30", "--trusted-proxies", "127.0.0.0/8"] });
  const key = { "x-access-key": host.accessKey };
  const from = (address: string) => ({ ...key, "x-forwarded-for": `1.1.1.1, ${address}` });
  expect(await codes(4, from("198.51.100.1"))).toEqual([-4, -4, -4, 1007]);
  const refused = await call(from("198.51.100.1"));
  expect(Number(refused.retryAfter)).toBeGreaterThan(0);
  expect(refused).toMatchObject({
    scope: "address-and-key",
    cause: "the rate limit of the address and key is used up: 3 calls a minute",
  });
  for (let address = 2; address <= 10; address++)
    expect(await codes(3, from(`198.51.100.${address}`))).toEqual([-4, -4, -4]);
  expect(await call(from("198.51.100.99"))).toMatchObject({
    code: 1007,
    scope: "project",
    cause: "the rate limit of the project is used up: 30 calls a minute",
  });
  expect(await countedByLimit()).toEqual({ "address-and-key": 2, project: 1 });
  expect(await loggedLimits()).toEqual(["address-and-key", "address-and-key", "project"]);
});

test("an address's calls are limited, and rejected keys count as ten", async () => {
  host = await startHost({ args: ["--rate-limit-address", "25", "--trusted-proxies", "127.0.0.1"] });
  const wrong = { "x-access-key": "wrong", "x-forwarded-for": "203.0.113.7" };
  expect(await codes(4, wrong)).toEqual([1000, 1000, 1000, 1007]);
  expect(await call({ "x-forwarded-for": "203.0.113.7" }, "/rpc/API/Ping")).toMatchObject({
    code: 1007,
    scope: "address",
    cause:
      "the rate limit of the address is used up: 25 calls a minute; rejected credentials, large bodies and expensive methods count as several calls",
  });
  expect((await call({ "x-forwarded-for": "203.0.113.8" }, "/rpc/API/Ping")).code).toBeUndefined();
  expect(await countedByLimit()).toEqual({ address: 2 });
  expect(await loggedLimits()).toEqual(["address", "address"]);
});

test("connections of an address are served up to the limit, one more is rejected", async () => {
  host = await startHost({ args: ["--connections-per-address", "2"] });
  const { port } = new URL(host.url);
  const agents = Array.from({ length: 3 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const ping = (agent: Agent | undefined): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const headers = { "content-type": "application/json" };
      const sent = request({ agent, port, method: "POST", path: "/rpc/API/Ping", headers }, resolve);
      sent.on("error", reject);
      sent.end("{}");
    });
  try {
    const answers: IncomingMessage[] = [];
    for (const agent of agents) {
      const answer = await ping(agent);
      answers.push(answer.resume());
      await once(answer, "end");
    }
    expect(answers.map(({ statusCode, headers }) => [statusCode, headers["x-ratelimit-scope"]])).toEqual([
      [200, undefined],
      [200, undefined],
      [429, "address-connections"],
    ]);
    expect(await countedByLimit()).toEqual({ "address-connections": 1 });
  } finally {
    for (const agent of agents) agent.destroy();
  }
});

test("a large body counts as several calls, with or without Content-Length", async () => {
  host = await startHost({ args: ["--rate-limit-address", "20", "--trusted-proxies", "127.0.0.1"] });
  const text = JSON.stringify({ padding: "x".repeat(500_000) });
  const bodies = { announced: () => text, chunked: () => new Blob([text]).stream() };
  for (const [index, body] of Object.values(bodies).entries()) {
    const forwarded = { "x-forwarded-for": `203.0.113.${index}` };
    const headers = { "content-type": "application/json", ...forwarded };
    const ping = { method: "POST", headers, duplex: "half" } as const;
    const response = await fetch(`${host.url}/rpc/API/Ping`, { ...ping, body: body() });
    expect(response.status).toBe(200);
    const after = await Promise.all(Array.from({ length: 6 }, () => call(forwarded, "/rpc/API/Ping")));
    expect(after.map(({ code }) => code)).toContain(1007);
  }
});

test("a /64 network is one address, and an untrusted hop is ignored", async () => {
  host = await startHost({ args: ["--rate-limit-address", "2", "--trusted-proxies", "127.0.0.1"] });
  const ping = async (hops: string) => (await call({ "x-forwarded-for": hops }, "/rpc/API/Ping")).code;
  expect([await ping("2001:db8::1"), await ping("2001:db8::2"), await ping("2001:db8:0:0:9::3")]).toEqual([
    undefined,
    undefined,
    1007,
  ]);
  expect(await ping("8.8.8.8, 2001:db8::4")).toBe(1007);
  expect(await ping("2001:db8::4, 8.8.8.8")).toBeUndefined();
});
