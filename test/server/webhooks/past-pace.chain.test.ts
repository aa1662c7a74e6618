import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { getListener } from "../../../server/webhooks/listeners.ts";
import { seededRandom } from "../../support/random.ts";
import { noSandbox } from "../../support/sandbox.ts";
import { chainId, patient, usePastWorld } from "./past-world.ts";

const shared = usePastWorld();
const { follow, grow, listen, onChain, stop, told, untilFollowed, untilRead } = shared;

describe.skipIf(noSandbox)("a listener with fromBlock", () => {
  const fill = (id: number, count: number) =>
    shared.database.query(
      `insert into webhook_notification (chain_id, sequence, listener_id, event, state)
     select $1, -number, $2, 0, case when number % 2 = 0 then 'waiting' else 'held' end from generate_series(1, $3::int) as number`,
      [chainId, id, count],
    );

  test.each([
    [9_999, true],
    [10_000, false],
    [10_001, false],
  ])(
    "with %i undelivered notifications is read further: %s",
    async (count, isRead) => {
      await grow(20, seededRandom(6));
      follow();
      await untilFollowed();
      await stop();
      const full = await listen(1);
      await fill(full, count);
      const other = await listen(1);
      follow();
      // Another project's listener is not affected.
      await expect.poll(() => shared.ended.includes(other), patient).toBe(true);
      if (isRead) await expect.poll(async () => (await getPast(full))?.nextBlock, patient).toBeGreaterThan(1);
      else {
        await sleep(1_500);
        expect((await getPast(full))?.nextBlock).toBe(1);
      }
      await shared.database.query(
        "update webhook_notification set state = 'accepted' where listener_id = $1",
        [full],
      );
      await untilRead();
      expect((await told(full)).map(({ at }) => at)).toEqual(await onChain(1));
    },
    120_000,
  );

  test("that its owner pauses waits, and continues where it was", async () => {
    await grow(20, seededRandom(7));
    follow();
    await untilFollowed();
    await stop();
    const id = await listen(3);
    await shared.database.query("update webhook_listener set pause_reason = 'owner'");
    follow();
    await grow(10, seededRandom(8));
    await untilFollowed();
    await sleep(1_500);
    expect(await getPast(id)).toEqual({ fromBlock: 3, nextBlock: 3, toBlock: 30 });
    expect(await told(id)).toEqual([]);
    await shared.database.query("update webhook_listener set pause_reason = null");
    await untilRead();
    expect((await told(id)).map(({ at }) => at)).toEqual(await onChain(3));
  });

  async function getPast(id: number) {
    const [row] = await shared.database.query<{ project_id: string }>(
      "select project_id from webhook_listener where id = $1",
      [id],
    );
    return (await getListener(shared.database, { projectId: Number(row?.project_id), chainId }, id))?.past;
  }
});
