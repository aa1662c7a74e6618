import { expect, test } from "vitest";
import { Rotation } from "../../../server/webhooks/past/reader.ts";
import type { PastRead } from "../../../server/webhooks/past-progress.ts";

const entry = (projectId: number, listenerId: number): PastRead => ({ projectId, listenerId, next: 0 });

test("projects take turns however many listeners each has, and so do the listeners of a project", () => {
  const rotation = new Rotation();
  const entries = [entry(1, 11), entry(1, 12), entry(1, 13), entry(2, 21)];
  const served = Array.from({ length: 8 }, () => {
    const [first] = rotation.order(entries);
    if (first !== undefined) rotation.served(first);
    return first?.listenerId;
  });
  expect(served).toEqual([11, 21, 12, 21, 13, 21, 11, 21]);
});

test("a project that joins is next", () => {
  const rotation = new Rotation();
  const entries = [entry(1, 11), entry(1, 12)];
  for (const each of entries) rotation.served(each);
  expect(rotation.order([...entries, entry(2, 21)])[0]?.listenerId).toBe(21);
});

test("those who no longer wait are forgotten", () => {
  const rotation = new Rotation();
  rotation.served(entry(1, 11));
  rotation.served(entry(2, 21));
  rotation.retain([entry(2, 21)]);
  expect(rotation.order([entry(2, 21), entry(1, 11)])[0]?.listenerId).toBe(11);
});
