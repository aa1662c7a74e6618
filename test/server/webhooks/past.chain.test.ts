import { describe, expect, test } from "vitest";
import { emitterAddress } from "../../support/event-chain.ts";
import { seededRandom } from "../../support/random.ts";
import { noSandbox } from "../../support/sandbox.ts";
import { patient, type Told, usePastWorld } from "./past-world.ts";

const shared = usePastWorld();
const { follow, grow, listen, onChain, told, untilFollowed, untilRead } = shared;

describe.skipIf(noSandbox)("a listener with fromBlock", () => {
  test("gets every event from that block on, in the order of the shared.chain, once, and then new ones", async () => {
    const random = seededRandom(1);
    await grow(60, random);
    follow();
    await untilFollowed();
    const live = await listen(undefined);
    const ids = new Map<number, number>();
    for (const from of [0, 1, 7, 40, 51, 52, 53, 59, 60]) ids.set(from, await listen(from));
    await grow(20, random);
    await untilRead();
    // The end is reported after the commit that the line above waits for.
    await expect.poll(() => shared.ended.toSorted(), patient).toEqual([...ids.values()].toSorted());
    await grow(5, random);
    await untilFollowed();
    for (const [from, id] of ids) {
      const rows = await told(id);
      expect(rows.map(({ at }) => at)).toEqual(await onChain(from));
      expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(["waiting"]));
    }
    expect((await told(live)).map(({ at }) => at)).toEqual(await onChain(61));
    expect(shared.failures).toEqual([]);
  });

  test("of final blocks gets each event when its block is final", async () => {
    await grow(90, seededRandom(2));
    follow();
    await untilFollowed();
    const id = await listen(10, { delivery: "finalized" });
    await untilRead();
    const isFinal = ({ blockNumber }: Told): boolean => blockNumber <= 90 - 64;
    await expect
      .poll(async () => (await told(id)).filter(({ state }) => state === "waiting").length, patient)
      .toBe((await told(id)).filter(isFinal).length);
    const rows = await told(id);
    expect(rows.map(({ at }) => at)).toEqual(await onChain(10));
    for (const row of rows) expect(row.state).toBe(isFinal(row) ? "waiting" : "held");
  });

  test("is notified once, even if a replica that lost its lock still reads", async () => {
    await grow(80, seededRandom(10));
    follow({}, 2);
    await untilFollowed();
    const ids: number[] = [];
    for (let count = 0; count < 4; count++) ids.push(await listen(0));
    await untilRead();
    const expected = await onChain(0);
    for (const id of ids) expect((await told(id)).map(({ at }) => at)).toEqual(expected);
    expect(shared.failures).toEqual([]);
  });

  test("detects the types of contracts while the follower can commit", async () => {
    await grow(20, seededRandom(9));
    follow();
    await untilFollowed();
    await listen(0);
    await untilRead();
    expect(shared.locked).toEqual(new Map([[emitterAddress, false]]));
  });
});
