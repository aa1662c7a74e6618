/**
 * `npm start` as a new user sees it: the printed calls work, the records come from the chain, from imports and from calls, and
 * stay for the next start.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { build } from "esbuild";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { connect, match, type Platform, result } from "../../../../client/index.ts";
import { findRunning } from "../../../../server/base/storage/embedded/embedded.ts";
import { resetDataFolder } from "../../../../server/host/demo/command.ts";
import { blocksOf, root } from "../../../support/docs.ts";
import { type Data, makeDataFolder, makeEmbeddedData } from "../../../support/host.ts";
import { folder } from "../../../support/program.ts";
import { noSandbox } from "../../../support/sandbox.ts";
import { canMount, smallDisk } from "../../../support/small-disk.ts";
import { endOf, freePort, type RunningDemo, startDemo } from "./running-demo.ts";

const chainId = "31337";

describe.skipIf(noSandbox)("npm start", () => {
  let data: Data;
  let demo: RunningDemo;
  let platform: Platform;
  let contractAddress: string;
  beforeAll(async () => {
    data = makeDataFolder();
    demo = await startDemo(data);
    const { accessKey, secretKey, collection } = demo;
    platform = connect({ url: demo.url, accessKey, secretKey });
    contractAddress = collection;
  });
  afterAll(async () => {
    await demo?.stop();
    await data?.[Symbol.asyncDispose]();
  });

  test("prints three calls that succeed when copied", () => {
    expect(demo.calls).toHaveLength(3);
    const [floor, price, audience] = demo.calls.map((call) =>
      JSON.parse(execFileSync("bash", ["-e", "-c", call], { encoding: "utf8" })),
    );
    expect(floor.collectible.order.priceUSD).toBe(38);
    expect(Number(price.swapPrice.price)).toBeGreaterThan(500_000);
    expect(audience.audience.contactCount).toBe(3);
  });

  test("Marketplace: returns the orders made on the chain, with their current status", async () => {
    const { marketplace } = platform.on(chainId);
    const { collectibles } = await marketplace.listCollectibles({ contractAddress, side: "listing" });
    expect(collectibles.map(({ metadata, listing }) => [metadata.tokenId, listing?.priceUSD])).toEqual([
      ["5", 38],
      ["1", 40],
      ["3", 40],
      ["6", 45],
      ["10", 50],
      ["9", 61],
    ]);
    expect(collectibles[0]?.metadata.image).toMatch(/^data:image\/svg/);
    const { collectible } = await marketplace.getFloorOrder({ contractAddress });
    expect(collectible?.order?.orderId).toBe(collectibles[0]?.listing?.orderId);
    const { order } = await marketplace.getHighestPriceOfferForCollectible({ contractAddress, tokenId: "1" });
    expect(order).toMatchObject({ side: "offer", priceUSD: 33, status: "active" });
    const input = Array.from({ length: 13 }, (_, id) => ({ contractAddress, orderId: String(id) }));
    const { orders } = await marketplace.getOrders({ input });
    const states = Object.fromEntries(orders.map(({ orderId, status }) => [orderId, status]));
    expect(Object.keys(states)).toHaveLength(13);
    expect([states["1"], states["5"]]).toEqual(["filled", "cancelled"]);
    // From blocks, not from an import.
    expect(orders.every(({ blockNumber }) => (blockNumber ?? 0) > 0)).toBe(true);
  });

  test("Metadata: filters tokens by their metadata on the chain", async () => {
    const { filters } = await platform.metadata.tokenCollectionFilters({ chainId, contractAddress });
    expect(filters).toMatchObject([
      { name: "Color", type: "STRING", values: ["Amber", "Indigo", "Jade", "Rose"] },
      { name: "Maker", type: "STRING", values: ["Ada", "Bao", "Cleo"] },
      { name: "Height", type: "INT", min: 12, max: 34 },
    ]);
  });

  test("Builder: sources and the audience were imported", async () => {
    const { contractSources } = await platform.builder.listContractSources({});
    expect(contractSources.map(({ uid }) => uid).sort()).toEqual([
      "sandbox-coin",
      "sandbox-lanterns",
      "sandbox-market",
    ]);
    const { audience, contacts, contracts } = await platform.builder.getAudience({ audienceId: 7 });
    expect([audience.contactCount, contacts[0]?.email, contracts[0]?.contractAddress]).toEqual([
      3,
      "ada@example.org",
      contractAddress,
    ]);
  });

  test("API: checks a signature, prices a swap, and its quote buys the exact amount", async () => {
    const { api } = platform;
    const signer = privateKeyToAccount(`0x${"7".repeat(64)}`);
    const typedData = {
      types: { Greeting: [{ name: "text", type: "string" }] },
      primaryType: "Greeting" as const,
      domain: { name: "Demo" },
      message: { text: "hello" },
    };
    const signature = await signer.signTypedData(typedData);
    const walletAddress = signer.address;
    expect(await api.isValidTypedDataSignature({ chainId, walletAddress, typedData, signature })).toEqual({
      isValid: true,
    });
    const { USD = "", GEM = "" } = demo.tokens;
    const swap = {
      chainId,
      sellCurrencyAddress: USD,
      buyCurrencyAddress: GEM,
      buyAmount: "3000000000000000000",
    };
    const { swapPrice } = await api.getSwapPrice(swap);
    const userAddress = "0x14dc79964da2c08b23698b3d3cc7ca32193d9955";
    const { swapQuote } = await api.getSwapQuote({ ...swap, userAddress, includeApprove: true });
    expect(swapQuote.price).toBe(swapPrice?.price);
    const before = await demo.balanceOf(GEM, userAddress);
    await demo.send(userAddress, USD, swapQuote.approveData);
    await demo.send(userAddress, swapQuote.to, swapQuote.transactionData);
    expect((await demo.balanceOf(GEM, userAddress)) - before).toBe(3n * 10n ** 18n);
  });

  test("the demo has executed a quote of its own", async () => {
    const { GEM = "" } = demo.tokens;
    const million = 10n ** 24n;
    expect(await demo.balanceOf(GEM, "0x976ea74026e726554db657fa54763abd0c3a0aa9")).toBe(
      million + 10n ** 18n,
    );
  });

  test("Indexer: signed events arrive at the receiver until the listener is removed", async () => {
    const { indexer } = platform.on(chainId);
    const { listener } = await indexer.addWebhookListener({
      url: demo.receiverUrl,
      filters: { contractAddresses: [contractAddress], events: ["MetadataUpdate(uint256)"] },
    });
    expect(await indexer.removeWebhookListener({ id: listener.id, projectId: demo.projectId })).toEqual({
      status: true,
    });
    const arrived = await demo.arrived();
    // Twelve tokens were minted and one was sold.
    await expect.poll(async () => (await demo.arrived()).length, { timeout: 120_000 }).toBe(13);
    expect(arrived[0]?.notification).toMatchObject({ type: "BLOCK_ADDED", contractAddress });
  });

  test("the client's examples run: a script, a bundled page, and a receiver", async () => {
    const env = {
      PATH: process.env["PATH"] ?? "",
      URL: demo.url,
      ACCESS_KEY: demo.accessKey,
      COLLECTION: contractAddress,
    };
    const example = (name: string): string => join(root, "client/examples", name);
    expect(execFileSync(process.execPath, [example("floor.mjs")], { env, encoding: "utf8" })).toBe(
      "Amber lantern #5: 38 (38 USD)\n",
    );
    const wrong = execFileSync(process.execPath, [example("floor.mjs")], {
      env: { ...env, ACCESS_KEY: "abc" },
      encoding: "utf8",
    });
    expect(wrong).toBe("ACCESS_KEY: unknown access key: it is mistyped, or belongs to another host\n");

    const { outputFiles } = await build({
      entryPoints: [example("page.mjs")],
      bundle: true,
      write: false,
      format: "esm",
      platform: "browser",
      absWorkingDir: root,
    });
    const items: { textContent: string }[] = [];
    const list = {
      dataset: { url: demo.url, accessKey: demo.accessKey, collection: contractAddress },
      append: (item: { textContent: string }) => items.push(item),
    };
    const page = `data:text/javascript;base64,${Buffer.from(outputFiles[0]?.text ?? "").toString("base64")}`;
    vi.stubGlobal("document", { querySelector: () => list, createElement: () => ({ textContent: "" }) });
    await import(/* @vite-ignore */ page);
    vi.unstubAllGlobals();
    expect(items.map(({ textContent }) => textContent)).toContain("Jade lantern #6: 45 USD");

    const { indexer } = platform.on(chainId);
    const port = await freePort();
    const { secret } = await indexer.addWebhookListener({
      url: `http://127.0.0.1:${port}/`,
      filters: {
        contractAddresses: [contractAddress],
        events: ["ApprovalForAll(address indexed, address indexed, bool)"],
      },
    });
    const receiver = spawn(process.execPath, [example("receiver.mjs")], {
      env: { ...env, PORT: String(port), WEBHOOK_SECRET: secret },
    });
    let out = "";
    receiver.stdout.on("data", (chunk) => {
      out += chunk;
    });
    try {
      await expect.poll(() => out, { timeout: 120_000 }).toContain("http://");
      await demo.approveAll(
        "0x23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f",
        "0x14dc79964da2c08b23698b3d3cc7ca32193d9955",
      );
      await expect
        .poll(() => out, { timeout: 120_000 })
        .toContain("BLOCK_ADDED ApprovalForAll(address,address,bool)");
    } finally {
      receiver.kill();
    }
  });

  test("the client of docs/platform/running.md works", async () => {
    const block = blocksOf("docs/platform/running.md").find(
      ({ language, text }) => language === "js" && text.includes("platform-client"),
    );
    const code = (block?.text ?? "")
      .replace(/^import .*$/m, "")
      .replace("export ", "")
      .replace("http://127.0.0.1:4000", demo.url);
    const names = ["connect", "match", "result", "accessKey", "contractAddress"];
    const run = new Function(...names, `${code}; return floorName(accessKey, contractAddress);`);
    expect(await run(connect, match, result, demo.accessKey, contractAddress)).toBe("Amber lantern #5");
  });

  test("a second start has the same keys and records, and resumes reading; Ctrl-C leaves no process", async () => {
    const orders = async () =>
      (await platform.on(chainId).marketplace.listCollectibles({ contractAddress })).collectibles.map(
        ({ order }) => [order?.id, order?.orderId, order?.createdAt],
      );
    const before = await orders();
    expect(await demo.stop()).toBe(0);
    expect(demo.leftBehind()).toEqual([]);
    await expect(fetch(demo.rpcUrl)).rejects.toThrow();

    const { accessKey, secretKey, collection } = demo;
    demo = await startDemo(data, { byNpm: true });
    expect([demo.accessKey, demo.secretKey, demo.collection]).toEqual([accessKey, secretKey, collection]);
    platform = connect({ url: demo.url, accessKey, secretKey });
    expect(await orders()).toEqual(before);
    // The listener of the first start is notified of a new token.
    const known = (await demo.arrived()).length;
    await demo.move(
      "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
      "0x23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f",
      4n,
    );
    await expect.poll(async () => (await demo.arrived()).length, { timeout: 120_000 }).toBe(known + 1);
  });

  test("--reset never touches a folder in use or of no sandbox; --production rejects the demo's database", async () => {
    const inUse = await endOf(["--reset", "--data-dir", data.folder]);
    expect(inUse).toEqual({
      code: 2,
      err: `platform: --reset: a host is using ${data.folder}; stop it first\n`,
    });
    using other = folder({ "notes.txt": "mine" });
    expect((await endOf(["--reset", "--data-dir", other.path])).err).toContain("is not a sandbox's");
    expect(readdirSync(other.path)).toEqual(["notes.txt"]);

    await demo.stop();
    expect(demo.leftBehind()).toEqual([]);
    expect(findRunning(data.folder)).toBeUndefined();
    const production = await endOf(["--production", "--data-dir", data.folder]);
    expect(production.code).toBe(2);
    expect(production.err).toContain("DATABASE_URL: required with --production");
    expect((await endOf(["--production", "--sandbox-chain"])).err).toContain(
      "--production and --sandbox-chain exclude each other",
    );
    expect((await endOf(["--host", "0.0.0.0"])).err).toContain("npm start -- --production");

    resetDataFolder(data.folder);
    expect(readdirSync(data.folder)).toEqual([]);
  });
});

test("without the optional chain packages everything else works, and chain methods report what is missing", async () => {
  await using data = await makeEmbeddedData();
  const demo = await startDemo(data, { nodeFlags: ["--require", "./test/support/without-chain.cjs"] });
  try {
    for (const call of demo.calls)
      expect(execFileSync("bash", ["-e", "-c", call], { encoding: "utf8" })).not.toContain('"error"');
    const { api, on } = connect({ url: demo.url, accessKey: demo.accessKey, secretKey: demo.secretKey });
    const [address, other] = [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`];
    const swap = { sellCurrencyAddress: address, buyCurrencyAddress: other, buyAmount: "1" };
    const typedData = { types: {}, primaryType: "EIP712Domain" as const, domain: {}, message: {} };
    const signed = { walletAddress: address, typedData, signature: "0x" };
    const { indexer } = on(chainId);
    const failures = await Promise.all(
      [
        api.getSwapPrice({ chainId, ...swap }),
        api.getSwapQuote({ chainId, ...swap, userAddress: address }),
        api.isValidTypedDataSignature({ chainId, ...signed }),
        indexer.getAllWebhookListeners({}),
      ].map((call) => call.then(String, (err: { readonly cause?: string }) => err.cause)),
    );
    for (const cause of failures) expect(cause).toContain("npm install --include=optional");
  } finally {
    await demo.stop();
  }
});

describe("start errors of npm start are one line with a remedy", () => {
  let data: Data;
  beforeAll(async () => {
    data = await makeEmbeddedData();
  });
  afterAll(() => data[Symbol.asyncDispose]());

  test("a port in use", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    const { code, err } = await endOf([
      "--port",
      String(port),
      "--admin-port",
      "0",
      "--data-dir",
      data.folder,
    ]);
    taken.close();
    expect({ code, err }).toEqual({
      code: 2,
      err: `platform: cannot listen on 127.0.0.1:${port}: the port is in use; choose another with --port\n`,
    });
  });

  test("a folder that it may not create", async () => {
    const { code, err } = await endOf(["--data-dir", "/proc/none/data"]);
    expect(code).toBe(2);
    expect(err).toMatch(
      /^platform: the data folder \/proc\/none\/data: [^\n]*; fix this, or choose another folder with --data-dir\n$/,
    );
  });

  test.runIf(canMount)("a full disk", async () => {
    using disk = smallDisk("8m");
    const { code, err } = await endOf(["--data-dir", disk?.folder ?? ""]);
    expect(code).toBe(2);
    expect(err).toMatch(/^platform: initdb could not create the database: .*No space left on device\n$/);
  });
});
