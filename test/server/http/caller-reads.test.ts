import { expect, test } from "vitest";
import { CallerReads } from "../../../server/http/caller-reads.ts";
import type { SharedReads } from "../../../server/storage/database.ts";

type HostCall = Parameters<CallerReads["of"]>[0];

function call(path: string): HostCall {
  return { method: { path } } as unknown as HostCall;
}

/** A database of which only the fullness counts. */
function readsThat(isFull: () => boolean): CallerReads {
  const reads: SharedReads = { isFull, query: async () => [] };
  return new CallerReads({ readsOf: () => reads }, () => []);
}

test("a method that reads is refused while the shares of its caller are full, others are not", async () => {
  let isFull = true;
  const reads = readsThat(() => isFull);
  const reader = call("/rpc/Marketplace/GetFloorOrder");
  // Nobody knows yet that it reads.
  expect(await reads.refusalOf(reader)).toBeUndefined();
  await reads.of(reader).query("select 1");
  expect(await reads.refusalOf(call("/rpc/API/Ping"))).toBeUndefined();
  expect(await reads.refusalOf(reader)).toMatchObject({ name: "Overloaded", status: 503 });
  isFull = false;
  expect(await reads.refusalOf(reader)).toBeUndefined();
});

test("a refusal is held back, so that callers who come again at once do not use up the thread", async () => {
  const reads = readsThat(() => true);
  const reader = call("/rpc/Marketplace/GetFloorOrder");
  await reads.of(reader).query("select 1");
  const startedAt = performance.now();
  await reads.refusalOf(reader);
  // A timer may fire a millisecond early.
  expect(performance.now() - startedAt).toBeGreaterThan(98);
});
