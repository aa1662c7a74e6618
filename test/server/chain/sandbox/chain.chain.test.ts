import { readFileSync } from "node:fs";
import { createPublicClient, createTestClient, http, parseAbi, publicActions, zeroAddress } from "viem";
import { describe, expect, test } from "vitest";
import { startSandboxChain } from "../../../../server/chain/sandbox/chain.ts";
import { compileContracts, findOutdated } from "../../../../server/chain/sandbox/contracts/compile.ts";
import { readHead, replaceLostBlocks } from "../../../../server/chain/sandbox/rpc.ts";
import { folder } from "../../../support/program.ts";
import { noSandbox, useSandbox } from "../../../support/sandbox.ts";

test("every compiled contract matches its source", () => {
  expect(findOutdated(), "run `npm run contracts`").toEqual([]);
});

// Half a minute of processor time.
test.runIf(process.env["CI"] === "true")("compiling again changes no contract", { timeout: 600_000 }, () => {
  for (const [path, text] of compileContracts())
    expect(readFileSync(path, "utf8") === text, `${path} is outdated: npm run contracts`).toBe(true);
});

describe.skipIf(noSandbox)("a local chain", () => {
  const sandbox = useSandbox();

  test("has every exchange, with pools that hold liquidity", async () => {
    const { rpcUrl, exchanges, tokens } = sandbox();
    const client = createPublicClient({ transport: http(rpcUrl) });
    for (const address of Object.values(exchanges))
      expect(await client.getCode({ address }), address).toMatch(/^0x[0-9a-f]{100}/);
    const abi = parseAbi([
      "function getAmountsIn(uint256, address[]) view returns (uint256[])",
      "function getPool(address, address, uint24) view returns (address)",
    ]);
    const path = [exchanges.wrappedCoin, tokens.usd, tokens.gem];
    const [price] = await client.readContract({
      address: exchanges.v2Router,
      abi,
      functionName: "getAmountsIn",
      args: [10n ** 18n, path],
    });
    // Half a dollar, at 2,000 dollars a coin, and two fees of 0.3 %.
    expect(Number(price) / 1e18).toBeCloseTo(0.00025 / 0.997 ** 2, 6);
    const pool = { address: exchanges.v3Factory, abi, functionName: "getPool" } as const;
    expect(await client.readContract({ ...pool, args: [tokens.gem, tokens.dai, 3_000] })).not.toBe(
      zeroAddress,
    );
  });

  test("has a wallet of two owners", async () => {
    const { rpcUrl, safe, accounts } = sandbox();
    const client = createPublicClient({ transport: http(rpcUrl) });
    const abi = parseAbi(["function getOwners() view returns (address[])"]);
    const owners = await client.readContract({ address: safe, abi, functionName: "getOwners" });
    expect(owners.map((owner) => owner.toLowerCase()).sort()).toEqual(accounts.slice(0, 2).sort());
  });

  test("keeps what happened in each session", async () => {
    using home = folder({});
    const blocks: number[] = [];
    for (let session = 0; session < 3; session++) {
      await using chain = await startSandboxChain({ folder: home.path });
      chain.keepState(expect.unreachable);
      const client = createTestClient({ mode: "anvil", transport: http(chain.rpcUrl) }).extend(publicActions);
      blocks.push(Number(await client.getBlockNumber()));
      await client.mine({ blocks: 1 });
    }
    const [first = 0] = blocks;
    expect(blocks).toEqual([first, first + 1, first + 2]);
  });

  test("forgets a session that ends before its state is to be kept", async () => {
    using home = folder({});
    await (await startSandboxChain({ folder: home.path }))[Symbol.asyncDispose]();
    await using second = await startSandboxChain({ folder: home.path });
    expect(second.isRestored).toBe(false);
  });

  test.each([
    [-1, undefined],
    [0, undefined],
    [1, [1, 1]],
    [2, [1, 2]],
  ])(
    "gets a block in place of lost ones, if the last read block is %i above its latest",
    async (above, lost) => {
      const { rpcUrl } = sandbox();
      const { number } = await readHead(rpcUrl);
      const blocks = lost?.map((block) => number + block);
      expect(await replaceLostBlocks(rpcUrl, number + above)).toEqual(
        blocks && { from: blocks[0], to: blocks[1] },
      );
      expect((await readHead(rpcUrl)).number).toBe(number + (lost === undefined ? 0 : 1));
    },
  );

  test("has the same addresses each time, and ends when it is closed", async () => {
    await using second = await startSandboxChain();
    const { exchanges, safe, tokens } = sandbox();
    expect({ exchanges, safe, tokens }).toEqual({
      exchanges: second.exchanges,
      safe: second.safe,
      tokens: second.tokens,
    });
    await second[Symbol.asyncDispose]();
    await expect(fetch(second.rpcUrl)).rejects.toThrow();
  });
});
