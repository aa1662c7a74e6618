import { describe, expect, test } from "vitest";
import { readCheckpoint, requestRewind } from "../../../../server/chain/follower/checkpoint.ts";
import { reorganize, startEventChain } from "../../../support/event-chain.ts";
import { seededRandom } from "../../../support/random.ts";
import { recordedLogs } from "../../../support/recording-deriver.ts";
import { noSandbox } from "../../../support/sandbox.ts";
import { startFollowedChain } from "./followed-chain.ts";

describe.skipIf(noSandbox)("a follower", () => {
  test("catches up and then follows live, with and without WebSocket", async () => {
    await using world = await startFollowedChain();
    await world.grow(seededRandom(2), 40);
    const first = world.follow({ follow: { window: 8 } });
    await world.untilEqual();
    await world.grow(seededRandom(3), 10);
    await reorganize(world.chain, 5);
    await world.untilEqual();
    await world.grow(seededRandom(3), 2);
    await world.untilEqual();
    await first[Symbol.asyncDispose]();
    await world.grow(seededRandom(4), 10);
    world.follow({ follow: { wsUrls: [], window: 8 } });
    await world.grow(seededRandom(5), 10);
    await world.untilEqual();
    expect((await recordedLogs(world.database)).length).toBeGreaterThan(50);
  });

  test("catches up in smaller ranges if a node limits its responses", async () => {
    await using world = await startFollowedChain();
    await world.grow(seededRandom(12), 60);
    let refusals = 0;
    world.node.refuse = (method, result) => {
      if (method !== "eth_getLogs" || (result as readonly unknown[]).length <= 12) return undefined;
      refusals++;
      return { code: -32_005, message: "query returned more than 12 results" };
    };
    world.follow({ follow: { window: 1, wsUrls: [] } });
    await world.untilEqual();
    expect((await recordedLogs(world.database)).length).toBeGreaterThan(60);
    expect(refusals).toBeGreaterThan(2);
    expect(world.told.filter((line) => line.startsWith("nodeDemoted"))).toEqual([]);
  });

  test("restarts from a block on an operator's request", async () => {
    await using world = await startFollowedChain();
    await world.grow(seededRandom(6), 30);
    world.follow({ follow: { window: 8 } });
    await world.untilEqual();
    expect(await requestRewind(world.database, 31_337, 4)).toBe(true);
    await expect
      .poll(async () => (await readCheckpoint(world.database, 31_337))?.rewindTo, { timeout: 120_000 })
      .toBeUndefined();
    await world.untilEqual();
    expect(world.told.at(-1)).toBe("rewound 4");
    await world.grow();
    await world.untilEqual();
  });

  test.each([true, false])(
    "of three replicas one follows, and another takes over (session locks: %s)",
    async (hasSessions) => {
      await using world = await startFollowedChain();
      await world.grow();
      world.told.length = 0;
      const replicas = [
        world.follow({ hasSessions }),
        world.follow({ hasSessions }),
        world.follow({ hasSessions }),
      ];
      await world.untilEqual();
      expect(world.told.filter((line) => line.startsWith("followStarted"))).toHaveLength(1);
      const active = replicas.find((each) => each.nodes().size > 0);
      await active?.[Symbol.asyncDispose]();
      await world.grow();
      await world.untilEqual();
      expect(world.told.filter((line) => line.startsWith("followStarted"))).toHaveLength(2);
    },
  );

  test("demotes a node of another chain and a node that does not respond", async () => {
    await using world = await startFollowedChain();
    await using other = await startEventChain(1_000);
    await world.grow();
    world.told.length = 0;
    world.follow({
      rpcUrls: ["http://127.0.0.1:1", other.rpcUrl, world.chain.rpcUrl],
      follow: { wsUrls: [] },
    });
    await world.untilEqual();
    expect(world.told).toContainEqual(
      expect.stringMatching(/^nodeDemoted 0 it does not respond: http:\/\/127.0.0.1:1: ./),
    );
    expect(world.told).toContain("nodeDemoted 1 it is a node of chain 1000, not of 31337");
  });

  test("logs that a node indexes a moment after it announced their block are requested again immediately", async () => {
    await using world = await startFollowedChain();
    await world.grow(seededRandom(2), 5);
    world.follow({ follow: { pollMs: 600_000 } });
    await world.untilEqual();
    const askedAt = new Map<string, number>();
    const waits: number[] = [];
    world.node.twist = (method, result) => {
      if (method !== "eth_getLogs") return result;
      const key = JSON.stringify(result);
      const before = askedAt.get(key);
      if (before === undefined) {
        askedAt.set(key, performance.now());
        return [];
      }
      waits.push(performance.now() - before);
      return result;
    };
    for (let block = 0; block < 5; block++) {
      await world.chain.emit(2);
      await world.chain.mine();
      await world.untilEqual();
    }
    expect(askedAt.size).toBe(5);
    // A head restarts the time to the next poll, so each of them would have waited five seconds.
    expect(Math.min(...waits)).toBeLessThan(4_000);
  });

  test.each<[string, (method: string, result: unknown) => unknown, string | undefined]>([
    [
      "leaves logs out",
      (method, result) => (method === "eth_getLogs" ? (result as unknown[]).slice(1) : result),
      undefined,
    ],
    [
      "answers logs of another block",
      (method, result) =>
        method === "eth_getLogs"
          ? (result as object[]).map((log) => ({ ...log, blockHash: `0x${"ab".repeat(32)}` }))
          : result,
      "nodeDemoted 0 it returned logs of a different block than requested",
    ],
    [
      "tells of blocks that nobody else has",
      (method, result) =>
        method === "eth_getBlockByNumber" ? { ...(result as object), hash: `0x${"cd".repeat(32)}` } : result,
      undefined,
    ],
  ])("a node that %s is not trusted", async (_, twist, said) => {
    await using world = await startFollowedChain();
    await world.grow(seededRandom(2), 10);
    world.follow({ rpcUrls: [world.node.rpcUrl, world.chain.rpcUrl] });
    await world.untilEqual();
    world.told.length = 0;
    world.node.twist = twist;
    await world.grow(seededRandom(3), 10);
    await world.untilEqual();
    if (said !== undefined) expect(world.told).toContain(said);
    expect(world.told.filter((line) => line.startsWith("reorganized"))).toEqual([]);
  });
});
