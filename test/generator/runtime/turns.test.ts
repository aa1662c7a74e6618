/** Large bodies and streams leave turns of the event loop to other calls. */
import { stat } from "node:fs/promises";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { LargeWork, largeMinLength } from "../../../generator/runtime/src/core.ts";
import { inNextTurn } from "../../../generator/runtime/src/time.ts";

function busy(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

describe("callbacks in the next turn", () => {
  /** Returns how many of 20 callbacks ran in each turn. */
  async function turnsOf(ms: number): Promise<readonly number[]> {
    const turns: number[] = [];
    let ran = 0;
    for (let each = 0; each < 20; each++)
      inNextTurn(() => {
        busy(ms);
        ran++;
      });
    for (let before = 0; before < 20; before = ran) {
      await turn();
      turns.push(ran - before);
    }
    return turns;
  }

  test("those that take long are spread over several turns, each at least one", async () => {
    await turn();
    expect(Math.max(...(await turnsOf(3)))).toBeLessThanOrEqual(2);
    await turn();
    expect(Math.max(...(await turnsOf(10)))).toBe(1);
  });

  test("each runs once, those that take no time together", async () => {
    await turn();
    expect(Math.max(...(await turnsOf(0)))).toBeGreaterThan(5);
  });
});

describe("large bodies", () => {
  test("the event loop handles what has arrived between two of them, although many wait", async () => {
    const large = new LargeWork();
    const order: string[] = [];
    let isOver = false;
    function everyTurn(): void {
      order.push("turn");
      if (!isOver) setImmediate(everyTurn);
    }
    everyTurn();
    large.openCalls = 200;
    await Promise.all(
      Array.from({ length: 200 }, () =>
        large.run(() => {
          order.push("large");
          busy(6);
        }),
      ),
    );
    isOver = true;
    expect(order.filter((each) => each === "large")).toHaveLength(200);
    expect(order.join(" ")).not.toContain("large large");
  });

  test("begin after what has arrived during their pause", async () => {
    const large = new LargeWork();
    large.openCalls = 3;
    await large.run(() => busy(100));
    const order: string[] = [];
    const waiting = large.run(() => void order.push("large"));
    await turn();
    await turn();
    const arrived = stat(".").then(() => order.push("arrived"));
    // Meanwhile, the pause ends and the result arrives.
    busy(200);
    await Promise.all([waiting, arrived]);
    expect(order).toEqual(["arrived", "large"]);
  });

  test("pause as long as the last one took while other calls are open, however late these arrive", async () => {
    const large = new LargeWork();
    large.openCalls = 2;
    let endedAt = 0;
    await large.run(() => {
      busy(50);
      endedAt = performance.now();
    });
    large.openCalls = 1;
    setImmediate(() => large.openCalls++);
    let startedAt = 0;
    await large.run(() => {
      startedAt = performance.now();
    });
    expect(startedAt - endedAt).toBeGreaterThanOrEqual(49);
  });

  test("pause after one that did not wait", async () => {
    const large = new LargeWork();
    large.openCalls = 2;
    large.pauseAfter(30 * largeMinLength);
    const from = performance.now();
    await large.run(() => {});
    expect(performance.now() - from).toBeGreaterThanOrEqual(29);
  });

  test("do not pause longer than a moment without other calls", async () => {
    const large = new LargeWork();
    large.openCalls = 1;
    large.pauseAfter(10_000 * largeMinLength);
    const from = performance.now();
    await large.run(() => {});
    expect(performance.now() - from).toBeLessThan(5_000);
  });
});
