import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listStateFiles } from "../../../../server/chain/sandbox/state-saver.ts";
import { makeData, startHost } from "../../../support/host.ts";
import { ask, operate } from "../../../support/operator.ts";
import { noSandbox } from "../../../support/sandbox.ts";

interface Followed {
  readonly chainId: number;
  readonly block: number;
  readonly behind: number | null;
}

async function mine(rpcUrl: string, blocks: number): Promise<void> {
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "anvil_mine",
    params: [`0x${blocks.toString(16)}`],
  });
  await fetch(rpcUrl, { method: "POST", headers: { "content-type": "application/json" }, body });
}

test.skipIf(noSandbox)(
  "a host follows its local chain, reports its progress, continues at the next start, and starts over if the chain is lost",
  async () => {
    await using data = await makeData();
    const first = await startHost({ data, args: ["--sandbox-chain"] });
    const list = async () => (await ask<readonly Followed[]>(data, "follow", "list"))[0];
    await mine(first.localChain?.rpcUrl ?? "", 300);
    await expect.poll(async () => (await list())?.block, { timeout: 120_000 }).toBeGreaterThan(300);
    const metrics = await (await fetch(`${first.adminUrl}/metrics`)).text();
    expect(metrics).toMatch(/platform_chain_followed\{chain="[a-z0-9-]+"\} 1/);
    expect(metrics).toMatch(/platform_chain_lag_blocks\{chain="[a-z0-9-]+"\} 0/);
    expect(metrics).toMatch(/platform_chain_nodes_healthy\{chain="[a-z0-9-]+"\} 1/);
    const again = await ask<Followed & { readonly reindexFrom: number | null }>(
      data,
      "follow",
      "reindex",
      "31337",
      "--from",
      "10",
    );
    expect(again).toMatchObject({ chainId: 31_337, behind: 0, reindexFrom: null });
    expect(again.block).toBeGreaterThan(300);
    const reindex = (from: number) => operate(data, "follow", "reindex", "31337", "--from", String(from));
    // No block is mined in the meantime.
    const tooHigh = await reindex(again.block + 2);
    expect(tooHigh.err).toContain(`is only followed up to block ${again.block}, found "${again.block + 2}"`);
    for (const from of [again.block, again.block + 1]) expect(await reindex(from)).toMatchObject({ code: 0 });
    expect(await operate(data, "follow", "skipped")).toMatchObject({ code: 0, out: "none\n" });
    for (const [args, reason] of [
      [["31337"], /--from is missing: .* is followed from block \d+ on/],
      [["31337", "--from", "99999"], /is only followed up to block \d+, found "99999"/],
      [["polygon", "--from", "1"], /network "polygon" is not followed; see: platform follow list/],
      [["polygno", "--from", "1"], /unknown network "polygno"/],
    ] as const)
      expect((await operate(data, "follow", "reindex", ...args)).err).toMatch(reason);
    expect(await first.stop()).toBe(0);
    const second = await startHost({ data, args: ["--sandbox-chain"] });
    expect((await list())?.block).toBeGreaterThan(300);
    expect(await second.stop()).toBe(0);
    for (const name of listStateFiles(data.folder)) rmSync(join(data.folder, name));
    await using _third = await startHost({ data, args: ["--sandbox-chain"] });
    await expect.poll(async () => (await list())?.block, { timeout: 120_000 }).toBeLessThan(300);
  },
  120_000,
);
