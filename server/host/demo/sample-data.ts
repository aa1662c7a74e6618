/**
 * Adds sample data to a sandbox once, in the three ways that records enter the platform: by import, by calls, and by transactions
 * that the follower reads from the chain.
 */

import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Address, type Hex, keccak256 } from "viem";
import { connect, type Platform } from "../../../client/index.ts";
import { StartFault } from "../../base/start-fault.ts";
import type { Database } from "../../base/storage/database.ts";
import { openSession } from "../../base/storage/session.ts";
import type { Networks } from "../../chain/networks/networks.ts";
import type { Artifact } from "../../chain/sandbox/artifact.ts";
import { type SandboxChain, sandboxArtifacts } from "../../chain/sandbox/chain.ts";
import { importRecords } from "../../market/import-export/import-export.ts";
import { kinds } from "../../market/import-export/kinds/index.ts";
import type { OpenHost } from "../host.ts";
import { Trader } from "./trader.ts";
import { type DemoTrades, hasTrades, makeTrades, transact } from "./trades.ts";

interface SampleDataDependencies {
  readonly dataDir: string;
  readonly showStep: (step: string) => void;
  /** Whether accounts go on trading while someone watches. */
  readonly keepsTrading: boolean;
}

interface SampleData {
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

/* Imports the records of the demo's project: deployable contract sources, an audience, and its contract on the local chain. */

/** Other projects use this id only if they imported an audience with it. */
const audienceId = 7;

interface DemoRecords {
  readonly audienceId: number;
}

async function importDemoRecords(
  { database, networks }: { readonly database: Database; readonly networks: Networks },
  projectId: number,
  chain: SandboxChain | undefined,
): Promise<DemoRecords> {
  for (const [name, lines] of Object.entries(linesOf(projectId, chain))) {
    const kind = kinds.find((one) => one.name === name);
    if (kind === undefined) throw new Error(`unknown record kind "${name}"`);
    await using session = await openSession({ ...database.connection, application_name: "platform: demo" });
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    await importRecords(kind, bytesOf(text), {
      sessions: [session],
      networks,
      stop: new AbortController().signal,
      onBatch(_, [fault]) {
        if (fault !== undefined) throw new Error(`${name}, line ${fault.line}: ${fault.reason}`);
      },
    });
  }
  return { audienceId };
}

async function* bytesOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

function linesOf(
  projectId: number,
  chain: SandboxChain | undefined,
): Readonly<Record<string, readonly object[]>> {
  return {
    "contract-sources": [
      source(projectId, "sandbox-lanterns", "ERC721", "Lanterns", sandboxArtifacts.collectible),
      source(projectId, "sandbox-coin", "ERC20", "Coin", sandboxArtifacts.token),
      source(undefined, "sandbox-market", "MARKET", "Market", sandboxArtifacts.market),
    ],
    audiences: [{ id: audienceId, projectId, name: "Early lanterns" }],
    contacts: people.map(({ address, name }) => ({
      audienceId,
      address,
      name,
      email: `${name.toLowerCase()}@example.org`,
    })),
    contracts:
      chain === undefined
        ? []
        : [
            {
              projectId,
              audienceId,
              contractName: "Lanterns",
              contractType: "ERC721",
              contractAddress: chain.collection,
              chainId: String(chain.chainId),
              source: "DEPLOYED",
            },
          ],
  };
}

function source(
  projectId: number | undefined,
  uid: string,
  contractType: string,
  name: string,
  { abi, bytecode }: Artifact,
): object {
  return {
    ...(projectId === undefined ? {} : { projectId }),
    uid,
    contractType,
    name,
    license: "MIT",
    audited: false,
    abi: JSON.stringify(abi),
    bytecode,
    bytecodeHash: keccak256(bytecode),
  };
}

const people = [
  { name: "Ada", address: "0x70997970c51812dc3a010c7d01b50e0d17dc79c8" },
  { name: "Bao", address: "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc" },
  { name: "Cleo", address: "0x90f79bf6eb2c4f870365e785982e1f101e93b906" },
] as const;

/* Stores what the demo needs at its next start, in addition to the project's keys. */

interface DemoState {
  readonly projectId: number;
  readonly audienceId: number;
  /** Sends notifications to the sandbox's receiver. Undefined without a local chain. */
  readonly listener: DemoListener | undefined;
}

interface DemoListener {
  readonly id: number;
  readonly url: string;
}

export const demoStateName = "demo.json";

function readDemoState(dataDir: string): DemoState | undefined {
  try {
    return (JSON.parse(readFileSync(join(dataDir, demoStateName), "utf8")) as DemoState | null) ?? undefined;
  } catch {
    return undefined;
  }
}

function writeDemoState(dataDir: string, state: DemoState): void {
  const path = join(dataDir, demoStateName);
  writeFileSync(`${path}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
