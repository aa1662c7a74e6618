import { expect, test } from "vitest";
import { Semaphore } from "../../../server/base/semaphore.ts";

async function settle(): Promise<void> {
  await new Promise((done) => setImmediate(done));
}

test.each([
  [1, 1, 0],
  [2, 2, 0],
  [3, 2, 1],
])("of %i tasks, a semaphore of two runs %i at once, and %i wait", async (tasks, running, waiting) => {
  const semaphore = new Semaphore(2);
  for (let task = 0; task < tasks; task++) void semaphore.run(() => new Promise(() => {}));
  await settle();
  expect([semaphore.taken, semaphore.waiting]).toEqual([running, waiting]);
});

test("waiting tasks start in their order, one for each slot that is released", async () => {
  const semaphore = new Semaphore(1);
  const started: string[] = [];
  await semaphore.acquire();
  for (const name of ["first", "second"]) void semaphore.acquire().then(() => started.push(name));
  await settle();
  expect(started).toEqual([]);
  semaphore.release();
  await settle();
  expect(started).toEqual(["first"]);
  semaphore.release();
  await settle();
  expect(started).toEqual(["first", "second"]);
  semaphore.release();
  expect([semaphore.taken, semaphore.waiting]).toEqual([0, 0]);
});

test("a task that fails releases its slot", async () => {
  const semaphore = new Semaphore(1);
  await expect(semaphore.run(() => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
  expect(semaphore.taken).toBe(0);
});

test("a signal ends the wait of its task only", async () => {
  const semaphore = new Semaphore(1);
  await semaphore.acquire();
  const ending = new AbortController();
  const ended = semaphore.acquire(ending.signal);
  const kept = semaphore.acquire();
  ending.abort(new Error("ended"));
  await expect(ended).rejects.toThrow("ended");
  expect(semaphore.waiting).toBe(1);
  await expect(semaphore.acquire(ending.signal)).rejects.toThrow("ended");
  semaphore.release();
  await kept;
  expect([semaphore.taken, semaphore.waiting]).toEqual([1, 0]);
});
