import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { openRateLimits } from "../../../../server/base/rate-limits.ts";

test("a Redis that accepts connections and is silent delays one call, not each", async () => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // The commands with which the client starts.
    socket.on("data", (data) => {
      if (/info/i.test(data.toString())) socket.write("$24\r\nredis_version:7.0.0\r\n\r\n\r\n");
      else if (!/eval/i.test(data.toString())) socket.write("+OK\r\n");
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
    onRedis: (isResponding) => states.push(isResponding),
  });
  try {
    await expect.poll(() => sockets.size, { timeout: 60_000 }).toBeGreaterThan(0);
    await limits.countAddress("198.51.100.1");
    const start = performance.now();
    for (let call = 0; call < 20; call++) {
      expect(await limits.countAddress("198.51.100.1")).toBeUndefined();
      expect(
        await limits.countProject({ projectId: 1, accessKey: "key", address: "198.51.100.1" }),
      ).toBeUndefined();
    }
    // Each command of Redis would take 500 ms.
    expect(performance.now() - start).toBeLessThan(400);
    expect(states).toEqual([false]);
    expect(lines).toHaveLength(1);
  } finally {
    await limits[Symbol.asyncDispose]();
    for (const socket of sockets) socket.destroy();
    server.close();
  }
});
