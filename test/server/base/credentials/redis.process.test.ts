import { expect, test } from "vitest";
import { findProgram, freePort, startProgram } from "../../../support/helper-program.ts";
import { type RunningHost, startHost } from "../../../support/host.ts";

const redis = findProgram("redis-server");

/** Calls per minute of one address. */
const limit = 10;

test.skipIf(redis === undefined)(
  "hosts count together by Redis, each for itself while it is away, and together again",
  async () => {
    const port = await freePort();
    const start = () =>
      startProgram(redis ?? "", ["--bind", "127.0.0.1", "--port", String(port), "--save", ""], port);
    let program = await start();
    try {
      const args = ["--rate-limit-address", String(limit), "--trusted-proxies", "127.0.0.1"];
      const env = { REDIS_URL: `redis://127.0.0.1:${port}` };
      await using first = await startHost({ args, env });
      await using second = await startHost({ args, env });

      expect(await passing(first, "198.51.100.1", 6)).toBe(6);
      expect(await passing(second, "198.51.100.1", 6)).toBe(4);

      await program[Symbol.asyncDispose]();
      for (const host of [first, second]) {
        expect(await passing(host, "198.51.100.2", limit + 2)).toBe(limit);
        await expect.poll(host.err, { timeout: 120_000 }).toContain("Redis cannot count calls");
      }

      program = await start();
      for (const host of [first, second])
        await expect
          .poll(host.err, { timeout: 120_000 })
          .toContain("Redis counts the calls of all replicas again");
      expect(await passing(first, "198.51.100.3", 6)).toBe(6);
      expect(await passing(second, "198.51.100.3", 6)).toBe(4);
      expect(first.err().match(/Redis cannot count calls/g)).toHaveLength(1);
    } finally {
      await program[Symbol.asyncDispose]();
    }
  },
  60_000,
);

/** Returns how many calls of an address succeed. All others must be RateLimited. */
async function passing({ url }: RunningHost, address: string, count: number): Promise<number> {
  let passed = 0;
  for (let index = 0; index < count; index++) {
    const response = await fetch(`${url}/rpc/API/Ping`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": address },
      body: "{}",
    });
    await response.arrayBuffer();
    expect([200, 429]).toContain(response.status);
    if (response.status === 200) passed++;
  }
  return passed;
}
