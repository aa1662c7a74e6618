/**
 * Adds sample data to a sandbox once, in the three ways that records enter the platform: by import, by calls, and by transactions
 * that the follower reads from the chain.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Address, Hex } from "viem";
import { connect, type Platform } from "../../../client/index.ts";
import { StartFault } from "../../base/start-fault.ts";
import type { SandboxChain } from "../../chain/sandbox/chain.ts";
import type { OpenHost } from "../host.ts";
import { importDemoRecords } from "./records.ts";
import { type DemoListener, type DemoState, readDemoState, writeDemoState } from "./state-file.ts";
import { Trader } from "./trader.ts";
import { type DemoTrades, hasTrades, makeTrades, transact } from "./trades.ts";

export interface SampleDataDependencies {
  readonly dataDir: string;
  readonly showStep: (step: string) => void;
  /** Whether accounts go on trading while someone watches. */
  readonly keepsTrading: boolean;
}

export interface SampleData {
  readonly audienceId: number;
}

/** Skips what an earlier start has added. */
export async function addSampleData(
  { ready, database, networks, live, localChain }: OpenHost,
  { dataDir, showStep, keepsTrading }: SampleDataDependencies,
): Promise<SampleData> {
  const { url, accessKey, secretKey, projectId } = ready;
  if (accessKey === undefined || secretKey === undefined || projectId === undefined)
    throw new StartFault("the demo needs a sandbox: remove --no-sandbox");
  const platform = connect({ url, accessKey, secretKey });
  const stored = readDemoState(dataDir);
  const before = stored?.projectId === projectId ? stored : undefined;
  let audienceId = before?.audienceId;
  if (audienceId === undefined) {
    showStep("importing the records of a project");
    ({ audienceId } = await importDemoRecords({ database, networks }, projectId, localChain));
  }
  const listener =
    localChain === undefined
      ? before?.listener
      : await listen(platform, localChain, receiverUrlOf(url), before?.listener);
  if (localChain !== undefined && !(await hasTrades(localChain))) {
    showStep("trading on the local chain");
    const trades = await makeTrades(localChain);
    await swap(platform, localChain);
    showStep("waiting for the follower to read the trades");
    await untilRead(platform, localChain, trades, () => (live?.receiver.arrived().length ?? 0) > 0);
  }
  const state: DemoState = { projectId, audienceId, listener };
  writeDemoState(dataDir, state);
  if (localChain !== undefined) {
    const trader = new Trader(platform, localChain);
    live?.startTrades({
      makeTrade: () => trader.trade(),
      everySeconds: keepsTrading ? tradeEverySeconds : null,
    });
  }
  return { audienceId };
}

/** The sandbox's webhook receiver, at the host's own URL. */
export function receiverUrlOf(url: string): string {
  return `${url}/sandbox/receiver`;
}

/**
 * Returns the listener of the last start, updated to the receiver's current URL, or creates one for the transfers of the
 * collection.
 */
async function listen(
  platform: Platform,
  { chainId, collection }: SandboxChain,
  url: string,
  before: DemoListener | undefined,
): Promise<DemoListener> {
  const { indexer } = platform.on(chainId);
  const { listeners } = await indexer.getAllWebhookListeners({});
  if (before !== undefined && listeners.some(({ id }) => id === before.id)) {
    if (before.url !== url) await indexer.updateWebhookListener({ id: before.id, url });
    return { id: before.id, url };
  }
  const { listener } = await indexer.addWebhookListener({
    url,
    name: "demo",
    filters: {
      contractAddresses: [collection],
      events: ["Transfer(address indexed from, address indexed to, uint256 indexed tokenId)"],
    },
  });
  return { id: listener.id, url };
}

/** Buys a gem for dollars with the transactions of a quote. */
async function swap({ api }: Platform, chain: SandboxChain): Promise<void> {
  const buyer = chain.accounts[6] as Address;
  const { usd, gem } = chain.tokens;
  const { swapQuote } = await api.getSwapQuote({
    chainId: String(chain.chainId),
    userAddress: buyer,
    sellCurrencyAddress: usd,
    buyCurrencyAddress: gem,
    buyAmount: String(10n ** 18n),
    includeApprove: true,
  });
  const { approveData, to, transactionData, transactionValue } = swapQuote;
  await transact(chain, buyer, (batch) => {
    if (approveData !== "") batch.add({ label: "the approval", to: usd, data: approveData as Hex });
    batch.add({
      label: "the swap of the quote",
      to: to as Address,
      data: transactionData as Hex,
      value: BigInt(transactionValue),
    });
  });
}

async function untilRead(
  platform: Platform,
  { chainId, collection }: SandboxChain,
  { listed, tokenWithOffers }: DemoTrades,
  hasNotified: () => boolean,
): Promise<void> {
  const { marketplace } = platform.on(chainId);
  const end = performance.now() + readMaxMs;
  while (performance.now() < end) {
    const [{ collectibles }, { order }] = await Promise.all([
      marketplace.listCollectibles({ contractAddress: collection, side: "listing" }),
      marketplace.getHighestPriceOfferForCollectible({
        contractAddress: collection,
        tokenId: tokenWithOffers,
      }),
    ]);
    const areDescribed = collectibles.every(({ metadata }) => metadata.name !== "");
    if (collectibles.length === listed && areDescribed && order !== null && hasNotified()) return;
    await sleep(readPauseMs);
  }
  throw new StartFault(
    `the follower did not read the local chain within ${readMaxMs / 1_000} s; try again, or add --log-level info to see why`,
  );
}

/** Often enough to see something happen, and slow enough to read it. */
const tradeEverySeconds = 10;

/** Longest time for the follower, in milliseconds. It usually takes a second or two; a busy machine may need more. */
const readMaxMs = 120_000;

const readPauseMs = 50;
