import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, expect, test, vi } from "vitest";
import { dumpState, StateSaver } from "../../../../server/chain/sandbox/state-saver.ts";
import { folder } from "../../../support/program.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A chain that mines `blocksPerDump` blocks during each of its first dumps. */
function stubChain(blocksPerDump: readonly number[] = []): { block: number; dumps: number } {
  const chain = { block: 1, dumps: 0 };
  vi.stubGlobal("fetch", async (_: string, { body }: { readonly body: string }) => {
    const { method } = JSON.parse(body) as { readonly method: string };
    if (method === "eth_getBlockByNumber")
      return Response.json({ result: { number: `0x${chain.block.toString(16)}`, hash: `0x${chain.block}` } });
    const state = JSON.stringify({ block: chain.block });
    chain.block += blocksPerDump[chain.dumps++] ?? 0;
    return Response.json({ result: `0x${gzipSync(state).toString("hex")}` });
  });
  return chain;
}

test.each([
  [0, [], '{"block":1}'],
  [1, [1], '{"block":2}'],
  [2, [1, 1], '{"block":3}'],
  [3, [1, 1, 1], undefined],
])(
  "a state that was read while a block was mined is read again: %i times",
  async (_, blocksPerDump, state) => {
    const chain = stubChain(blocksPerDump);
    const dump = await dumpState("http://chain", AbortSignal.timeout(10_000));
    expect(dump?.state.toString()).toBe(state);
    expect(chain.dumps).toBe(Math.min(3, blocksPerDump.length + 1));
  },
);

test("an error of the chain is thrown", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ error: { code: -32_601, message: "not found" } }));
  await expect(dumpState("http://chain", AbortSignal.timeout(10_000))).rejects.toThrow(
    "the local chain rejected eth_getBlockByNumber: not found",
  );
});

test("saves at once, after new blocks only, and when it is closed", async () => {
  using home = folder({});
  const path = join(home.path, "state.json");
  const chain = stubChain();
  const saver = new StateSaver("http://chain", path, expect.unreachable);
  const saved = () => (existsSync(path) ? readFileSync(path, "utf8") : undefined);
  await expect.poll(saved).toBe('{"block":1}');
  chain.block = 2;
  await expect.poll(saved).toBe('{"block":2}');
  expect(chain.dumps).toBe(2);
  await saver[Symbol.asyncDispose]();
  expect(chain.dumps).toBe(3);
});

test("a folder that cannot be written is reported once, until it can", async () => {
  using home = folder({});
  const path = join(home.path, "gone", "state.json");
  const chain = stubChain();
  const warn = vi.fn();
  const saver = new StateSaver("http://chain", path, warn);
  await expect.poll(() => chain.dumps).toBeGreaterThan(1);
  expect(warn.mock.calls).toEqual([
    [
      expect.stringMatching(
        /^the state of the local chain cannot be saved to .*gone.state[.]json: its folder does not exist; it is lost if the platform is killed$/,
      ),
    ],
  ]);
  mkdirSync(join(home.path, "gone"));
  await expect.poll(() => existsSync(path)).toBe(true);
  rmSync(join(home.path, "gone"), { recursive: true });
  chain.block = 2;
  await expect.poll(() => warn.mock.calls.length).toBe(2);
  await expect(saver[Symbol.asyncDispose]()).rejects.toThrow(
    /cannot be saved to .*; the next start continues from the previous state$/,
  );
});
