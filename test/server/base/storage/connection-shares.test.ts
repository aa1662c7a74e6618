import { describe, expect, test, vi } from "vitest";
import {
  ConnectionShares,
  hostHolder,
  type ShareHolder,
} from "../../../../server/base/storage/connection-shares.ts";
import { DatabaseBusy } from "../../../../server/base/storage/fault.ts";

const project = (name: string): ShareHolder => ({ name: `project ${name}`, divisor: 1 });
const address = (name: string): ShareHolder => ({ name: `address ${name}`, divisor: 3 });

function open(connections: number, burstMs = 100): ConnectionShares {
  return new ConnectionShares({ connections, burstMs, waitMaxMs: 1_000 });
}

/** Returns how many turns the holders get at the same time, however many they request. */
async function fill(shares: ConnectionShares, holders: readonly ShareHolder[]): Promise<number> {
  let taken = 0;
  for (let asked = 0; asked < 100; asked++) {
    const turn = shares.acquire(holders);
    turn.catch(() => {});
    if (!(await isDone(turn))) break;
    taken++;
  }
  return taken;
}

async function isDone(turn: Promise<void>): Promise<boolean> {
  let done = false;
  turn.then(
    () => {
      done = true;
    },
    () => {},
  );
  for (let tick = 0; tick < 5; tick++) await Promise.resolve();
  return done;
}

describe("shares of connections", () => {
  test.each([
    [1, 1, 1],
    [2, 1, 1],
    [4, 2, 1],
    [10, 5, 3],
    [100, 50, 25],
  ])(
    "of %d connections a project alone holds %d, an address %d",
    async (connections, ofProject, ofAddress) => {
      expect(await fill(open(connections), [project("a")])).toBe(ofProject);
      expect(await fill(open(connections), [address("a")])).toBe(ofAddress);
      expect(await fill(open(connections), [project("a"), address("a")])).toBe(ofAddress);
    },
  );

  test.each([
    [1, 1],
    [4, 1],
    [5, 2],
    [10, 3],
    [100, 25],
  ])(
    "of %d connections, changes that wait for the same locks hold %d, however many projects make them",
    async (connections, held) => {
      const shares = open(connections);
      const changes: ShareHolder = { name: "changes", divisor: 3 };
      let taken = 0;
      for (let index = 0; index < connections; index++) {
        const turn = shares.acquire([project(`${index}`), address(`${index}`), changes]);
        turn.catch(() => {});
        if (await isDone(turn)) taken++;
      }
      expect(taken).toBe(held);
      if (connections > 1) expect(await fill(shares, [project("reader")])).toBeGreaterThan(0);
    },
  );

  test.each([
    [1, project("a"), 10],
    [4, project("a"), 20],
    [5, project("a"), 30],
    [1, address("a"), 10],
    [8, address("a"), 20],
    [9, address("a"), 30],
  ])(
    "of %d connections, with turns of 10 ms and a burst of 100 ms, %j may have %d waiting",
    async (connections, holder, most) => {
      vi.useFakeTimers();
      try {
        const shares = open(connections);
        const turns = Promise.allSettled(Array.from({ length: 100 }, () => shares.acquire([holder])));
        vi.advanceTimersByTime(1_000);
        const faults = (await turns).map((turn) => turn.status === "rejected" && String(turn.reason));
        const waited = faults.filter((fault) => fault === "DatabaseBusy: waited too long for a connection");
        expect(waited).toHaveLength(most);
      } finally {
        vi.useRealTimers();
      }
    },
  );

  test("each holder leaves some to the next", async () => {
    const shares = open(10);
    const taken = [];
    for (const name of ["a", "b", "c", "d", "e"]) taken.push(await fill(shares, [project(name)]));
    expect(taken).toEqual([5, 3, 1, 1, 0]);
  });

  test("addresses of one project share the project's connections", async () => {
    const shares = open(10);
    expect(await fill(shares, [project("a"), address("1")])).toBe(3);
    expect(await fill(shares, [project("a"), address("2")])).toBe(2);
    expect(await fill(shares, [project("a"), address("3")])).toBe(0);
    expect(await fill(shares, [project("b"), address("3")])).toBe(2);
  });

  test("the host's own queries take whatever is free", async () => {
    const shares = open(10);
    expect(await fill(shares, [project("a")])).toBe(5);
    expect(await fill(shares, [hostHolder])).toBe(5);
  });

  test("a used-up share delays no other holder, however many calls wait for it", async () => {
    const shares = open(10);
    await fill(shares, [project("a")]);
    for (let each = 0; each < 50; each++) shares.acquire([project("a")]).catch(() => {});
    expect(await isDone(shares.acquire([project("b")]))).toBe(true);
  });

  test("queues are served round robin", async () => {
    const shares = open(1);
    const holder = (name: string): ShareHolder => ({ name, divisor: 0 });
    await shares.acquire([holder("host")]);
    const order = ["host"];
    for (const name of ["a", "a", "a", "b", "c", "c"])
      void shares.acquire([holder(name)]).then(() => order.push(name));
    expect(shares.waiting).toBe(6);
    for (let turn = 0; turn < 6; turn++) {
      shares.release([holder(order.at(-1) ?? "")], 1);
      await new Promise(setImmediate);
    }
    expect(order).toEqual(["host", "a", "b", "c", "a", "c", "a"]);
    expect(shares.waiting).toBe(0);
  });

  test("a queue without turns is limited, and its rejections affect no other queue", async () => {
    const shares = open(10, 0);
    const greedy = [project("a"), address("1")];
    await fill(shares, greedy);
    const before = shares.waiting;
    const turns = Array.from({ length: 20 }, () => shares.acquire(greedy));
    for (const turn of turns) turn.catch(() => {});
    // One and a half times as many as it has turns.
    expect(shares.waiting).toBe(5);
    expect(before).toBe(1);
    await expect(turns.at(-1)).rejects.toThrow(DatabaseBusy);
    expect(await isDone(shares.acquire([project("a"), address("2")]))).toBe(true);
    expect(await isDone(shares.acquire([project("b"), address("3")]))).toBe(true);
  });

  test("isFull is true exactly when the next acquire would be rejected, and changes nothing", async () => {
    const shares = open(10, 0);
    const greedy = [project("a"), address("1")];
    const seen = [];
    for (let asked = 0; asked < 20; asked++) {
      const wasFull = shares.isFull(greedy);
      const turn = shares.acquire(greedy);
      const isRefused = turn.then(
        () => false,
        () => true,
      );
      if (wasFull) expect(await isRefused).toBe(true);
      seen.push(wasFull);
    }
    expect(seen.indexOf(true)).toBeGreaterThan(3);
    expect(seen.slice(seen.indexOf(true))).not.toContain(false);
    expect(shares.isFull([project("b"), address("2")])).toBe(false);
    expect(await isDone(shares.acquire([project("b"), address("2")]))).toBe(true);
  });

  test("a waiter is rejected after the longest wait", async () => {
    vi.useFakeTimers();
    try {
      const shares = open(2);
      await shares.acquire([project("a")]);
      const turn = shares.acquire([project("a")]);
      const refusal = expect(turn).rejects.toThrow(DatabaseBusy);
      vi.advanceTimersByTime(999);
      expect(shares.waiting).toBe(1);
      vi.advanceTimersByTime(1);
      await refusal;
      expect(shares.waiting).toBe(0);
      shares.release([project("a")], 1);
      expect(await isDone(shares.acquire([project("a")]))).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });
});
