/** `npm start` ends without notice: it continues from the chain's last saved state, and undoes what the chain has lost. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeFunctionData } from "viem";
import { describe, expect, test } from "vitest";
import { connect } from "../../../../client/index.ts";
import { sandboxArtifacts } from "../../../../server/chain/sandbox/chain.ts";
import { listStateFiles } from "../../../../server/chain/sandbox/state-saver.ts";
import { makeDataFolder } from "../../../support/host.ts";
import { noSandbox } from "../../../support/sandbox.ts";
import { type RunningDemo, startDemo } from "./running-demo.ts";

/** The owner of tokens 9 to 12. */
const cleo = "0x90f79bf6eb2c4f870365e785982e1f101e93b906";

async function list({ send, market, collection, tokens }: RunningDemo, tokenId: number): Promise<void> {
  const request = {
    isListing: true,
    isERC1155: false,
    tokenContract: collection,
    tokenId: BigInt(tokenId),
    quantity: 1n,
    expiry: 4_000_000_000n,
    currency: tokens["USD"],
    pricePerToken: 77_000_000n,
  };
  const { abi } = sandboxArtifacts.market;
  await send(cleo, market, encodeFunctionData({ abi, functionName: "createRequest", args: [request] }));
}

/** The tokens with a listing, as the API returns them. */
async function listed({ url, accessKey, secretKey, collection }: RunningDemo): Promise<readonly string[]> {
  const { marketplace } = connect({ url, accessKey, secretKey }).on("31337");
  const { collectibles } = await marketplace.listCollectibles({
    contractAddress: collection,
    side: "listing",
  });
  return collectibles.map(({ metadata }) => metadata.tokenId);
}

/** The last block of the saved state. */
function savedBlock(folder: string): number | undefined {
  const [name] = listStateFiles(folder);
  if (name === undefined) return undefined;
  const { best_block_number } = JSON.parse(readFileSync(join(folder, name), "utf8")) as SavedChain;
  return Number(best_block_number);
}

interface SavedChain {
  readonly best_block_number: string | number;
}

describe.skipIf(noSandbox)("npm start after kill -9", () => {
  test("continues with the last blocks, or without those that were not saved", async () => {
    await using data = makeDataFolder();
    let demo = await startDemo(data);
    try {
      await list(demo, 11);
      await expect.poll(() => listed(demo)).toContain("11");
      const saved = await demo.blockNumber();
      await expect.poll(() => savedBlock(data.folder)).toBe(saved);
      await demo.kill();
      demo = await startDemo(data);
      expect(await demo.blockNumber()).toBe(saved);
      expect(await listed(demo)).toContain("11");
      expect(demo.errors()).toBe("");

      const [stateFile = ""] = listStateFiles(data.folder).map((name) => join(data.folder, name));
      const state = readFileSync(stateFile);
      await list(demo, 11);
      await list(demo, 12);
      await expect.poll(() => listed(demo)).toContain("12");
      const lost = await demo.blockNumber();
      await demo.kill();
      writeFileSync(stateFile, state);
      demo = await startDemo(data);
      await expect.poll(() => listed(demo)).not.toContain("12");
      expect(await listed(demo)).toContain("11");
      expect(demo.errors().trim().split("\n")).toEqual([
        expect.stringContaining(`the platform was killed before blocks ${saved + 1} to ${lost} were saved`),
      ]);
      await list(demo, 12);
      await expect.poll(() => listed(demo)).toContain("12");
      const { url, accessKey, secretKey } = demo;
      const { listeners } = await connect({ url, accessKey, secretKey })
        .on("31337")
        .indexer.getAllWebhookListeners({});
      expect(listeners).toHaveLength(1);
    } finally {
      await demo.stop();
    }
  });
});
