import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { requestRewind } from "../../../server/chain/follower/checkpoint.ts";
import { reorganize } from "../../support/event-chain.ts";
import { honest } from "../../support/faulty-node.ts";
import { seededRandom } from "../../support/random.ts";
import { noSandbox } from "../../support/sandbox.ts";
import { chainId, known, patient, usePastWorld, window } from "./past-world.ts";

const shared = usePastWorld();
const { follow, grow, listen, onChain, stop, told, untilFollowed, untilRead } = shared;

describe.skipIf(noSandbox)("a listener with fromBlock", () => {
  test.each([
    ["in the window", 4],
    ["of the whole window", window],
    ["below the window", window + 9],
  ])(
    "is consistent after a reorganization %s while its past is read",
    async (_, depth) => {
      const random = seededRandom(depth);
      await grow(60, random);
      follow();
      await untilFollowed();
      let release = (): void => {};
      const released = new Promise<void>((done) => {
        release = done;
      });
      let [held, isHolding] = [0, true];
      // Until the reorganization, only the past is read in ranges.
      shared.node.fault = async (exchange) => {
        const isRange = exchange.calls.some(
          ({ method, params }) => method === "eth_getLogs" && "fromBlock" in (params[0] as object),
        );
        if (!isRange || !isHolding) return honest(exchange);
        const answers = await exchange.forward();
        held++;
        await released;
        exchange.send(answers);
      };
      const id = await listen(30);
      await expect.poll(() => held, patient).toBeGreaterThan(0);
      isHolding = false;
      await reorganize(shared.chain, depth);
      await grow(2, random);
      await untilFollowed();
      release();
      await untilRead();
      await grow(3, random);
      await untilFollowed();
      expect(known(await told(id))).toEqual(await onChain(30));
    },
    120_000,
  );

  test("misses and repeats nothing while the chain is reorganized and the host restarts", async () => {
    const random = seededRandom(5);
    await grow(40, random);
    follow();
    const listeners = new Map<number, number>();
    for (let round = 0; round < 14; round++) {
      await grow(1 + random.below(6), random);
      await untilFollowed();
      const from = random.below((await shared.chain.head()) + 1);
      listeners.set(await listen(from), from);
      await sleep(random.below(300));
      if (random.chance(50)) await reorganize(shared.chain, 1 + random.below(window + 4));
      if (random.chance(30)) {
        await stop();
        follow();
      }
      if (random.chance(20)) await requestRewind(shared.database, chainId, random.below(30));
    }
    await grow(2, random);
    await untilFollowed();
    await untilRead();
    await grow(2, random);
    await untilFollowed();
    for (const [id, from] of listeners)
      expect(known(await told(id)).toSorted()).toEqual((await onChain(from)).toSorted());
  });
});
