import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Address } from "viem";
import { expect, test } from "vitest";
import { Networks } from "../../../../server/chain/networks/networks.ts";
import { readNetworks } from "../../../../server/chain/networks/settings.ts";
import { Chains } from "../../../../server/chain/rpc/chains.ts";
import token from "../../../../server/chain/sandbox/contracts/SandboxToken.json" with { type: "json" };
import { addPair } from "../../../../server/chain/sandbox/exchanges.ts";
import { openLocalNetwork } from "../../../../server/chain/sandbox/local-network.ts";
import { Swaps } from "../../../../server/wallets/swaps/swaps.ts";
import { noSandbox } from "../../../support/sandbox.ts";

const ether = 10n ** 18n;

test.skipIf(noSandbox)(
  "a developer's token needs a pool with one of the main tokens to be swapped",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "ridlkit-local-network-"));
    try {
      const given = { networks: undefined, rpcUrls: [], networkDetails: undefined };
      await using local = await openLocalNetwork(given, folder);
      const { batch, exchanges, tokens } = local.sandbox;
      const { preferred } = new Networks(readNetworks(local.sources).networks);
      const swaps = new Swaps(new Chains(), { deadlineSeconds: 1_200 });
      for (const [main, amount] of [
        [exchanges.wrappedCoin, ether],
        [tokens.usd, 1_000n * 10n ** 6n],
        [tokens.dai, 1_000n * ether],
      ] as const) {
        const own: Address = batch.deploy(token as never, ["Own", "OWN", 18]);
        const args = [batch.account, 1_000n * ether];
        batch.call({ to: own, abi: token.abi as never, functionName: "mint", args });
        addPair(batch, exchanges, { token: own, amount: 1_000n * ether }, { token: main, amount });
        await batch.mine();
        const ask = { sell: own, buy: tokens.gem, amount: ether, slippagePercentage: 5 };
        expect(await swaps.price(preferred, ask)).toBeDefined();
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
