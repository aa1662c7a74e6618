/** What the load balancers of server/deploy/ repeat, and that no read fails while the replicas restart one after the other. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { freePort } from "../../support/helper-program.ts";
import { type Data, makeDataFolder, type RunningHost, startHost } from "../../support/host.ts";
import { makeKey } from "../../support/operator.ts";
import { migratedDatabase } from "../../support/server.ts";
import { signingKeyText } from "../../support/signing-keys.ts";
import { balancers, type ReplicaPorts, replicaHosts } from "./balancers.ts";

/** Calls by POST to methods of each kind, and one by GET. */
const calls = {
  read: { method: "POST", path: "/rpc/Marketplace/GetOrders", headers: {} },
  readByGet: { method: "GET", path: "/polygon/rpc/Marketplace/GetOrders?q=%7B%7D", headers: {} },
  change: { method: "POST", path: "/rpc/Indexer/AddWebhookListener", headers: {} },
  changeOnPath: { method: "POST", path: "/polygon/rpc/Indexer/RotateWebhookSecret", headers: {} },
  keyedChange: {
    method: "POST",
    path: "/rpc/Indexer/ToggleWebhookListener",
    headers: { "Idempotency-Key": "a-key-of-the-client" },
  },
} as const;

/** Which calls each balancer sends to the other replica if the first closes the connection without a response. */
const repeated: Readonly<Record<string, readonly (keyof typeof calls)[]>> = {
  nginx: ["read", "readByGet"],
  HAProxy: ["read", "readByGet", "keyedChange"],
  Caddy: ["readByGet"],
};

const repeatedAfterHang: typeof repeated = { ...repeated, Caddy: [] };

describe.each(balancers)("$name", (balancer) => {
  test.each([
    ["closes the connection", (req: IncomingMessage) => req.socket.destroy(), repeated],
    // Sends nothing.
    ["hangs", () => {}, repeatedAfterHang],
  ] as const)(
    "repeats what cannot take effect twice, and nothing else, if a replica %s",
    async (_, fail, expected) => {
      const attempts = new Map<string, number>();
      await using replicas = await startStubs((req, res) => {
        const id = String(req.headers["x-request-id"]);
        attempts.set(id, (attempts.get(id) ?? 0) + 1);
        if (attempts.get(id) === 1) fail(req);
        else res.end("{}");
      });
      await using proxy = await balancer.start(replicas);
      const served = Object.entries(calls).map(async ([id, { path, method, headers }]) => {
        const response = fetch(proxy.url + path, {
          method,
          headers: { ...headers, "X-Request-Id": id },
          ...(method === "POST" && { body: "{}" }),
        });
        // HAProxy closes a connection that has had calls before.
        const isServed = await response.then(
          ({ ok }) => ok,
          () => false,
        );
        return [id, isServed, attempts.get(id)];
      });
      const isRepeated = (id: string): boolean =>
        expected[balancer.name]?.includes(id as keyof typeof calls) === true;
      expect(await Promise.all(served)).toEqual(
        Object.keys(calls).map((id) => [id, isRepeated(id), isRepeated(id) ? 2 : 1]),
      );
    },
  );

  test.skipIf(balancer.name === "Caddy")("sends every call to the replica that listens", async () => {
    await using replicas = await startStubs((_, res) => res.end("{}"), [replicaHosts[1]]);
    await using proxy = await balancer.start(replicas);
    for (const { path, method, headers } of [...Object.values(calls), ...Object.values(calls)]) {
      const response = await fetch(proxy.url + path, {
        method,
        headers,
        ...(method === "POST" && { body: "{}" }),
      });
      await response.text();
      expect([path, response.status]).toEqual([path, 200]);
    }
  });

  test("no read fails during a rolling restart under 200 calls a second", async () => {
    await using database = await migratedDatabase();
    await using data = makeDataFolder();
    const env = {
      DATABASE_URL: database.url,
      SIGNING_KEY: signingKeyText(1),
      RATE_LIMIT_ADDRESS: "1000000",
      RATE_LIMIT_PROJECT: "10000000",
      LOG_LEVEL: "error",
      // All calls have one key and one address, which may use a part of the connections only.
      DATABASE_CONNECTIONS: "40",
      STOP_DELAY_SECONDS: balancer.checksHealth ? "10" : "0",
    };
    const { accessKey } = await makeKey({ ...data, env });
    const ports = { port: await freePort(), adminPort: await freePort() };
    const start = (host: string): Promise<RunningHost> => startReplica({ ...data, env }, host, ports);
    const replicas = await Promise.all(replicaHosts.map(start));
    try {
      await using proxy = await balancer.start(ports);
      const load = startLoad(proxy.url, accessKey);
      await load.passed(200);
      for (const [index, host] of replicaHosts.entries()) {
        expect(await replicas[index]?.stop()).toBe(0);
        replicas[index] = await start(host);
        // The balancer sends calls to the new replica.
        await expect.poll(() => callsOf(replicas[index]), { timeout: 120_000 }).toBeGreaterThan(20);
        await load.passed(400);
      }
      const { count, seconds, failures } = await load.end();
      console.log(
        `${balancer.name}: ${count} reads at ${Math.round(count / seconds)}/s, ${failures.length} failed`,
      );
      expect(failures).toEqual([]);
      expect(count).toBeGreaterThan(1_000);
    } finally {
      await Promise.all(replicas.map((replica) => replica.stop()));
    }
  });
});

/** Replicas that pass health checks and have another handler for calls. Those that are not named do not listen. */
async function startStubs(
  handle: (req: IncomingMessage, res: ServerResponse) => void,
  listening: readonly string[] = replicaHosts,
): Promise<AsyncDisposable & ReplicaPorts> {
  const ports = { port: await freePort(), adminPort: await freePort() };
  const servers = await Promise.all(
    replicaHosts.flatMap((host) => [
      ...(listening.includes(host)
        ? [listen(host, ports.port, (req, res) => handle(req.resume(), res))]
        : []),
      listen(host, ports.adminPort, (_, res) => res.end("{}")),
    ]),
  );
  return {
    ...ports,
    async [Symbol.asyncDispose]() {
      for (const server of servers) server.close().closeAllConnections();
    },
  };
}

async function listen(
  host: string,
  port: number,
  handle: (req: IncomingMessage, res: ServerResponse) => void,
): Promise<ReturnType<typeof createServer>> {
  const server = createServer(handle).listen(port, host);
  await once(server, "listening");
  return server;
}

function startReplica(data: Data, host: string, { port, adminPort }: ReplicaPorts): Promise<RunningHost> {
  const flags = { port, "admin-port": adminPort, host, "admin-host": host, networks: "polygon" };
  const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]);
  return startHost({ data, args: [...args, "--production", "--trusted-proxies", "127.0.0.0/8"] });
}

/** How many calls a replica has served. */
async function callsOf(replica: RunningHost | undefined): Promise<number> {
  const metrics = await (await fetch(`${replica?.adminUrl}/metrics`)).text();
  return Number(/^platform_calls_total\{.*method="ListCurrencies".*\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
}

interface Load {
  /** Resolves after this many further calls. */
  passed(count: number): Promise<void>;
  end(): Promise<{ readonly count: number; readonly seconds: number; readonly failures: readonly string[] }>;
}

/** Reads, half of them by GET, by eight callers that start 25 a second each. */
function startLoad(url: string, accessKey: string): Load {
  const body = JSON.stringify({ chainId: "137" });
  const path = "/rpc/Marketplace/ListCurrencies";
  const failures: string[] = [];
  const startedAt = performance.now();
  let count = 0;
  let isEnding = false;
  const call = async (isGet: boolean): Promise<void> => {
    const headers = { "X-Access-Key": accessKey, "Content-Type": "application/json" };
    try {
      const response = isGet
        ? await fetch(`${url}${path}?q=${encodeURIComponent(body)}`, { headers })
        : await fetch(url + path, { method: "POST", headers, body });
      const text = await response.text();
      if (response.status !== 200) failures.push(`${response.status} ${text}`);
    } catch (err) {
      failures.push(String(err instanceof Error ? (err.cause ?? err) : err));
    }
    count++;
  };
  const callers = Array.from({ length: 8 }, async (_, caller) => {
    for (let number = 0; !isEnding; number++) {
      const dueMs = number * 40 + caller * 5;
      await sleep(Math.max(0, startedAt + dueMs - performance.now()));
      await call((number + caller) % 2 === 0);
    }
  });
  return {
    async passed(further) {
      const until = count + further;
      await expect.poll(() => count).toBeGreaterThanOrEqual(until);
    },
    async end() {
      isEnding = true;
      await Promise.all(callers);
      return { count, seconds: (performance.now() - startedAt) / 1_000, failures };
    },
  };
}
