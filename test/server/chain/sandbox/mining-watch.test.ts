import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { MiningWatch } from "../../../../server/chain/sandbox/rpc.ts";

/** Undefined: the chain does not respond. */
let chain: { readonly pending: number; readonly mines: boolean } | undefined;
let lines: string[];
/** Checks that have begun. */
let checked: number;
let watch: MiningWatch;

beforeEach(() => {
  chain = { pending: 0, mines: false };
  lines = [];
  checked = 0;
  vi.stubGlobal("fetch", async (_: string, { body }: { readonly body: string }) => {
    const isStatus = body.includes("txpool_status");
    if (isStatus) checked++;
    if (chain === undefined) throw new TypeError("fetch failed");
    const hash = chain.mines ? `0x${checked}` : "0x0";
    return Response.json({
      result: isStatus ? { pending: `0x${chain.pending.toString(16)}` } : { number: "0x1", hash },
    });
  });
  watch = new MiningWatch("http://chain", (line) => lines.push(line), 20);
});
afterEach(async () => {
  await watch[Symbol.asyncDispose]();
  vi.unstubAllGlobals();
});

/** The problem after this many whole checks. */
async function after(checks: number): Promise<string | undefined> {
  const until = checked + checks + 1;
  while (checked < until) await sleep(1);
  return watch.problem;
}

test.each([
  [0, false],
  [0, true],
  [2, true],
])("with %i waiting transactions, a chain that mines (%s) has no problem", async (pending, mines) => {
  chain = { pending, mines };
  expect(await after(4)).toBeUndefined();
  expect(lines).toEqual([]);
});

test("a chain that does not mine what waits is reported once, until it mines", async () => {
  chain = { pending: 2, mines: false };
  const problem = "mines no blocks, although 2 transactions wait";
  expect(await after(4)).toBe(problem);
  chain = { pending: 2, mines: true };
  expect(await after(2)).toBeUndefined();
  expect(lines).toEqual([`the local chain ${problem}; stop and start the sandbox`]);
});

test("a chain that does not respond is reported", async () => {
  chain = undefined;
  expect(await after(2)).toBe("does not respond");
  expect(lines).toEqual(["the local chain does not respond; stop and start the sandbox"]);
});
