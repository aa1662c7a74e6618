import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { openRateLimits } from "../../../../server/base/rate-limits.ts";

test("a Redis that accepts connections and is silent delays one call, not each", async () => {
  const sockets = new Set<Socket>();
  let counted = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("data", (data) => {
      // Each command begins with the number of its arguments. The client starts with INFO and others.
      for (const command of data.toString().split(/^\*/m).slice(1)) {
        if (/eval/i.test(command)) counted++;
        else socket.write(/info\r/i.test(command) ? "$0\r\n\r\n" : "+OK\r\n");
      }
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const lines: string[] = [];
  const states: boolean[] = [];
  const limits = await openRateLimits({
    rateLimitProject: 1_000,
    rateLimitAddress: 100,
    redisUrl: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log: (line) => lines.push(line),
    onRedis: (isCounting) => states.push(isCounting),
  });
  try {
    // Until the client is connected, it sends nothing.
    const countOnce = () => limits.countAddress("198.51.100.1").then(() => counted);
    await expect.poll(countOnce, { timeout: 60_000 }).toBe(1);
    for (let call = 0; call < 20; call++) {
      expect(await limits.countAddress("198.51.100.1")).toBeUndefined();
      expect(
        await limits.countProject({ projectId: 1, accessKey: "key", address: "198.51.100.1" }),
      ).toBeUndefined();
    }
    // On a slow machine, the pause after a command may end.
    expect(counted).toBeLessThan(5);
    expect(states.at(-1)).toBe(false);
    expect(lines.at(-1)).toContain("Redis cannot count calls");
  } finally {
    await limits[Symbol.asyncDispose]();
    for (const socket of sockets) socket.destroy();
    server.close();
  }
});

test("a server that is no Redis, and never responds, is reported in plain words", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const lines: string[] = [];
  const limits = await openRateLimits({
    rateLimitProject: 1_000,
    rateLimitAddress: 100,
    redisUrl: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log: (line) => lines.push(line),
  });
  try {
    await limits.countAddress("198.51.100.1");
    expect(lines).toEqual([expect.stringMatching(/: there is no connection; check REDIS_URL$/)]);
  } finally {
    await limits[Symbol.asyncDispose]();
    server.close();
  }
});
