import { type Config, isSandbox } from "../../base/config/config.ts";
import { Outbound } from "../../base/outbound/outbound.ts";
import type { PolicyOptions } from "../../base/outbound/policy.ts";
import type { Database } from "../../base/storage/database.ts";
import { DatabaseFault } from "../../base/storage/fault.ts";
import { ContractTypes } from "../../chain/contract-types/contract-types.ts";
import type { ContractTypeOf } from "../../chain/follower/derive/deriver.ts";
import { type OutdatedChain, readOutdatedChains } from "../../chain/follower/health.ts";
import { openFollowers } from "../../chain/follower/open-followers.ts";
import { Networks } from "../../chain/networks/networks.ts";
import { readNetworks } from "../../chain/networks/settings.ts";
import type { Chain } from "../../chain/rpc/chain.ts";
import { Chains } from "../../chain/rpc/chains.ts";
import { type CallLimits, nodeLimits } from "../../chain/rpc/node-limits.ts";
import { MeteredNodes } from "../../chain/rpc/nodes/metered-nodes.ts";
import type { Share } from "../../chain/rpc/nodes/node-budget.ts";
import { openMarketVersions, type StateVersions } from "../../market/etags/market-versions.ts";
import { openMarkets } from "../../market/indexer/open-markets.ts";
import { storeConfiguredCurrencies } from "../../market/records/currencies/currency.ts";
import { startMarkingExpiredOrders } from "../../market/records/orders/expired-orders.ts";
import { readCollections } from "../../market/token-metadata/followed-collections.ts";
import { openTokens } from "../../market/token-metadata/open-tokens.ts";
import { countFailing, countPaused, oldestHeldSeconds } from "../../webhooks/delivery/maintenance.ts";
import { oldestDueSeconds } from "../../webhooks/delivery/queue.ts";
import { openWebhooks } from "../../webhooks/open-webhooks.ts";
import { pastBlocksLeft } from "../../webhooks/past-progress.ts";
import { countUnreadable } from "../../webhooks/sealed-secrets.ts";
import { createSecretBox } from "../../webhooks/secret.ts";
import type { EventStreams } from "../../webhooks/streams/event-streams.ts";
import type { WebhooksFor } from "../../webhooks/webhooks.ts";
import type { Operations } from "../observability/operations.ts";
import { Live } from "../sandbox-page/live.ts";
import type { Storage } from "./storage.ts";

/** The background work of a host: it follows chains, reads tokens and delivers webhooks. */
export interface Workers {
  readonly networks: Networks;
  readonly chains: Chains;
  readonly webhooksFor: WebhooksFor;
  readonly streams: EventStreams;
  readonly live: Live | undefined;
  /** Undefined behind a pooler in transaction mode, or without a service that needs it. */
  readonly state: StateVersions | undefined;
}

export interface WorkersOptions {
  readonly config: Config;
  readonly operations: Operations;
  readonly storage: Storage;
  readonly stop: AbortSignal;
}

export async function withWorkers(
  { config, operations, storage, stop }: WorkersOptions,
  use: (workers: Workers) => Promise<void>,
): Promise<void> {
  const { events } = operations;
  const { database, backgroundDatabase, signingKeys, sandbox, replicaId, local } = storage;
  const networks = new Networks(readNetworks(local?.sources ?? config).networks);
  await storeConfiguredCurrencies(database, networks.all);
  await using _expiredOrders = startMarkingExpiredOrders(backgroundDatabase, {
    marked: events.markets.ordersExpired,
  });
  const servesReads = config.services.includes("Marketplace") || config.services.includes("Metadata");
  await using state = servesReads && !config.databasePooler ? openMarketVersions(database) : undefined;
  // Each part has its own concurrency limit at the nodes, so that no part waits for another.
  const meteredNodes = new MeteredNodes(events.nodes);
  const openChains: OpenChains = (share, limits) =>
    new Chains({ meteredNodes, share, limits: { ...nodeLimits.calls, ...limits } });
  const chains = openChains("calls");
  registerNodes(operations, networks, chains);
  for (const { name, nodes } of networks.all) operations.metrics.nodes.configured(name, nodes.length);
  await using outbound = new Outbound(outboundOptions(config));
  await using webhooks = openWebhooks({
    database: backgroundDatabase,
    outbound,
    signingKeys,
    canListen: !config.databasePooler,
    events: events.webhooks,
    delivers: config.deliverWebhooks && config.services.includes("Indexer"),
  });
  await using markets = openMarkets({
    database: backgroundDatabase,
    networks: networks.all,
    chainOf: chainOf(networks, openChains("background")),
    events: events.markets,
  });
  const contractTypeOf = contractTypesOf(networks, openChains);
  await using tokens = await openTokens({
    database: backgroundDatabase,
    outbound,
    chainOf: chainOf(networks, openChains("background")),
    gateways: config,
    collections: readCollections([...config.collections, ...(local?.collections ?? [])], networks),
    followed: networks.all.filter(({ follow }) => follow !== undefined),
    contractTypeOf,
    meteredNodes,
    reads: config.readMetadata,
    events: events.tokens,
  });
  const secrets = createSecretBox(signingKeys);
  const live =
    sandbox === undefined
      ? undefined
      : new Live({ database, networks, secrets, sandbox, localChain: local?.chain, stop });
  const derivers = [
    webhooks.deriver(contractTypeOf),
    ...markets.derivers,
    tokens.deriver,
    ...(live === undefined ? [] : [live.deriver()]),
  ];
  await using followers = openFollowers({
    database: backgroundDatabase,
    hasSessions: !config.databasePooler,
    replicaId,
    networks: config.followChains ? networks.all : [],
    derivers,
    events: operations.followerEvents,
    meteredNodes,
    tasks: [webhooks.pastReader(contractTypeOf)],
  });
  operations.watchNodes(followers.nodes);
  const deriverNames = derivers.map(({ name }) => name);
  // With `followChains: false`, too: perhaps no replica follows them.
  const toFollow = networks.all.filter(({ follow, nodes }) => follow !== undefined && nodes.length > 0);
  for (const { name } of toFollow) operations.metrics.chains.configured(name, deriverNames);
  const chainIds = toFollow.map(({ chainId }) => chainId);
  registerChains(operations, networks, database, chainIds);
  operations.watchWebhooks({
    load: webhooks.load,
    queueAge: () => oldestDueSeconds(backgroundDatabase),
    heldAge: () => oldestHeldSeconds(backgroundDatabase),
    failing: () => countFailing(backgroundDatabase),
    paused: () => countPaused(backgroundDatabase),
    unreadable: async () => {
      const counts = await countUnreadable(backgroundDatabase, signingKeys);
      return [...counts.values()].reduce((sum, listeners) => sum + listeners, 0);
    },
    streams: () => webhooks.streams.open,
    pastBlocks: async () => byName(networks, await pastBlocksLeft(backgroundDatabase, followers.followed)),
  });
  operations.watchTokens(tokens);
  await use({ networks, chains, webhooksFor: webhooks.webhooksFor, streams: webhooks.streams, live, state });
}

/**
 * How long `/readyz` waits for the chain ids of the nodes, in milliseconds. A node that does not respond does not make the host
 * unready.
 */
const nodesMaxMs = 1_000;

function registerNodes({ readiness }: Operations, networks: Networks, chains: Chains): void {
  if (networks.all.every(({ nodes }) => nodes.length === 0)) return;
  readiness.register("nodes", async () => {
    const wrong = await chains.wrongNetworks(networks.all, nodesMaxMs);
    return wrong.length === 0 ? undefined : wrong.join("; ");
  });
}

/** An outdated chain is outdated on all replicas, whichever of them follows it. */
function registerChains(
  { readiness }: Operations,
  networks: Networks,
  database: Database,
  followed: readonly number[],
): void {
  if (followed.length === 0) return;
  readiness.register("chains", async () => {
    try {
      const outdated = await readOutdatedChains(database, followed);
      const lines = outdated.map((chain) => `${networks.find(chain.chainId)?.name} ${problemOf(chain)}`);
      return lines.length === 0 ? undefined : lines.join("; ");
    } catch (err) {
      // The check of the database decides whether it is down.
      if (err instanceof DatabaseFault) return undefined;
      throw err;
    }
  });
}

function problemOf({ block, stopped, failingSince, failure }: OutdatedChain): string {
  if (stopped !== null) return `is stopped at block ${block}: ${stopped}`;
  const place = block === null ? "before the first block" : `after block ${block}`;
  return `has failed ${place} since ${failingSince?.toISOString()}: ${failure}`;
}

function nameOf(networks: Networks, chainId: number): string {
  return networks.find(chainId)?.name ?? String(chainId);
}

/** For metrics, whose label is the name of the chain. */
function byName<Value>(networks: Networks, values: ReadonlyMap<number, Value>): ReadonlyMap<string, Value> {
  return new Map([...values].map(([chainId, value]) => [nameOf(networks, chainId), value]));
}

type OpenChains = (share: Share, limits?: Partial<CallLimits>) => Chains;

/** In a sandbox, webhook receivers run on this machine. */
function outboundOptions(config: Config): PolicyOptions {
  const { outboundAllow, outboundDeny: deny, outboundPorts: ports } = config;
  return { allow: isSandbox(config) ? [...outboundAllow, "127.0.0.0/8", "::1"] : outboundAllow, deny, ports };
}

/** A block waits for these calls, so their limits are smaller. */
function contractTypesOf(networks: Networks, openChains: OpenChains): ContractTypeOf {
  const chains = openChains("follower", { maxResponseBytes: 65_536, callGas: 5_000_000n });
  const types = new ContractTypes();
  const openChain = chainOf(networks, chains);
  return (tx, address) => types.of(tx, tx.chainId, address, () => openChain(tx.chainId));
}

function chainOf(networks: Networks, chains: Chains): (chainId: number) => Promise<Chain> {
  return async (chainId) => {
    const network = networks.find(chainId);
    if (network === undefined)
      throw new Error(`chain ${chainId} is followed but belongs to no served network`);
    return chains.of(network);
  };
}
