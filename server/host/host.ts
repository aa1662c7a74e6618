import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { openRecorder } from "../../generated/server/recording.ts";
import { Assets } from "../../generator/explorer/assets.ts";
import { pageFolder } from "../../generator/explorer/page-folder.ts";
import { type Config, hasExplorer, isSandbox, needsDataFolder } from "../base/config/config.ts";
import { openCredentials } from "../base/credentials/credentials.ts";
import { openRateLimits } from "../base/credentials/rate-limits.ts";
import { watchReplicas } from "../base/credentials/replicas.ts";
import { openSandbox, refuseSandboxKeys } from "../base/credentials/sandbox.ts";
import { readSigningKey, warningOfKeptKey } from "../base/credentials/signing-key.ts";
import { Outbound } from "../base/outbound/outbound.ts";
import type { PolicyOptions } from "../base/outbound/policy.ts";
import type { Database } from "../base/storage/database.ts";
import { DatabaseBusy } from "../base/storage/fault.ts";
import { openOwnWork, openStorage } from "../base/storage/open.ts";
import type { StorageLog } from "../base/storage/storage-log.ts";
import { ContractTypes } from "../chain/contract-types/contract-types.ts";
import type { ContractTypeOf } from "../chain/follower/derive/deriver.ts";
import { openFollowers } from "../chain/follower/followers.ts";
import { Networks } from "../chain/networks/networks.ts";
import { readNetworks } from "../chain/networks/settings.ts";
import type { Chain } from "../chain/rpc/chain.ts";
import { Chains } from "../chain/rpc/chains.ts";
import { type ChainLimits, chainLimits } from "../chain/rpc/limits.ts";
import type { SandboxChain } from "../chain/sandbox/chain.ts";
import type { LocalNetwork } from "../chain/sandbox/local-network.ts";
import { openMarkets } from "../market/indexer/open.ts";
import { noteCurrencies } from "../market/records/currencies/note-currencies.ts";
import { keepExpiredOrdersMarked } from "../market/records/orders/expired-orders.ts";
import { openTokens } from "../market/token-metadata/open.ts";
import { readCollections } from "../market/token-metadata/settings.ts";
import { oldestDue } from "../webhooks/delivery/queue.ts";
import { openWebhooks } from "../webhooks/open.ts";
import { createSecretBox } from "../webhooks/secret.ts";
import { createApp } from "./app.ts";
import { openDataFolder } from "./data-folder.ts";
import { hostFacts } from "./explorer-facts.ts";
import { trustProxies } from "./http/caller-address.ts";
import { openDoor } from "./http/door.ts";
import { networkServices } from "./http/network-path.ts";
import { Live } from "./live/live.ts";
import { openOperations } from "./operations/open.ts";
import type { Ready } from "./ready.ts";
import { boundStop } from "./stop-deadline.ts";

export interface Around {
  readonly appVersion: string;
  readonly onReady: (ready: Ready) => void;
  /** Awaited once calls are answered, and before the host is said to be ready. */
  readonly fill?: (open: OpenHost) => Promise<void>;
  /** Aborted when the host is to stop. */
  readonly stop: AbortSignal;
}

/** What a host that can be called is filled by. */
export interface OpenHost {
  readonly ready: Ready;
  readonly database: Database;
  readonly networks: Networks;
  /** There if the host has started a chain of its own. */
  readonly localChain: SandboxChain | undefined;
}

/**
 * Opens what the host consists of, from the ground up, and serves until it is told to stop. All is closed in the reverse order,
 * also if something later could not be opened: first the door, so that the calls under way still find everything below them.
 */
export async function serve(config: Config, { appVersion, onReady, fill, stop }: Around): Promise<void> {
  if (needsDataFolder(config)) openDataFolder(config.dataDir);
  const signingKey = readSigningKey(config);
  const { stopDelaySeconds, stopMaxSeconds } = config;
  const deadline = boundStop(stop, (stopDelaySeconds + stopMaxSeconds) * 1_000 + closeMaxMs);
  await using operations = await openOperations(config, appVersion);
  const { log, events, readiness } = operations;
  deadline.tellBy(operations.cutShort);
  const tell: StorageLog = {
    info: (line) => log.info({}, line),
    warn: (line) => log.warn({}, line),
    error: (line) => log.error({}, line),
  };
  const keyWarning = warningOfKeptKey(config);
  if (keyWarning !== undefined) tell.warn(keyWarning);
  // Beside the database, which takes as long.
  await using beginning = config.sandboxChain ? beginLocalNetwork(config) : undefined;
  await using database = await openStorage(config, tell, stop);
  if (config.production) await refuseSandboxKeys(database);
  await using ownWork = openOwnWork(database, config);
  readiness.register("database", async () => {
    try {
      await database.query({ name: "ready", text: "select 1" });
    } catch (err) {
      // Who has much to do is not away: another host that takes its calls over would have them besides its own.
      if (!(err instanceof DatabaseBusy)) throw err;
    }
    return undefined;
  });
  operations.watchDatabase(database);
  await using credentials = openCredentials(database, { signingKey, canListen: !config.databasePooler });
  await using rateLimits = await openRateLimits({ ...config, log: (line) => log.warn({}, line) });
  await using _replicas =
    config.databaseUrl !== undefined && config.redisUrl === undefined
      ? watchReplicas(database, (line) => log.warn({}, line))
      : undefined;
  const sandbox = isSandbox(config) ? await openSandbox(database, config.dataDir, signingKey) : undefined;
  const local = await beginning?.opened;
  stop.throwIfAborted();
  const networks = new Networks(readNetworks(local?.sources ?? config).networks);
  await noteCurrencies(database, networks.all);
  await using _expiredOrders = keepExpiredOrdersMarked(ownWork, { marked: events.markets.ordersExpired });
  // Each room has turns of its own at the nodes: none waits for another.
  const openChains: OpenChains = (limits) => new Chains({ ...chainLimits, ...limits }, events.nodes);
  const chains = openChains();
  if (networks.all.some(({ rpcUrls }) => rpcUrls.length > 0))
    readiness.register("nodes", async () => {
      const wrong = await chains.wrongNetworks(networks.all, nodesMaxMs);
      return wrong.length === 0 ? undefined : wrong.join("; ");
    });
  const { checkResponses, services, swapDeadlineSeconds } = config;
  await using outbound = new Outbound(outboundOptions(config));
  await using open = openWebhooks({
    ownWork,
    outbound,
    signingKey: signingKey.sign,
    canListen: !config.databasePooler,
    events: events.webhooks,
    delivers: services.includes("Indexer"),
  });
  await using markets = openMarkets({
    database: ownWork,
    networks: networks.all,
    chainOf: chainOf(networks, openChains()),
    events: events.markets,
  });
  const contractTypeOf = contractTypesOf(networks, openChains);
  await using tokens = await openTokens({
    database: ownWork,
    outbound,
    chainOf: chainOf(networks, openChains()),
    ipfsGateway: config.ipfsGateway,
    collections: readCollections([...config.collections, ...(local?.collections ?? [])], networks),
    followed: networks.all.filter(({ follow }) => follow !== undefined),
    contractTypeOf,
    events: events.tokens,
  });
  const live =
    sandbox === undefined
      ? undefined
      : new Live({
          database,
          networks,
          secrets: createSecretBox(signingKey.sign),
          sandbox,
          localChain: local?.chain,
          stop,
        });
  await using followers = openFollowers({
    database: ownWork,
    hasSessions: !config.databasePooler,
    networks: networks.all,
    derivers: [
      open.deriver(contractTypeOf),
      ...markets.derivers,
      tokens.deriver,
      ...(live === undefined ? [] : [live.deriver()]),
    ],
    events: operations.followerEvents,
  });
  operations.watchNodes(followers.nodes);
  operations.watchWebhooks({ load: open.load, queueAge: () => oldestDue(ownWork) });
  operations.watchTokens(tokens);
  await using recorder =
    config.recordTo === undefined
      ? undefined
      : openRecorder(config.recordTo, { tell: events.recordingEnded });
  const isTrusted = trustProxies(config.trustedProxies);
  const app = createApp({
    database,
    webhooksOn: open.webhooksOn,
    networks,
    chains,
    appVersion,
    checkResponses,
    swapDeadlineSeconds,
    events,
    services,
    tracing: operations.tracing,
    recorder,
    credentials,
    rateLimits,
    trustedProxies: isTrusted,
    secretKeyOrigins: config.secretKeyOrigins,
    explorer: hasExplorer(config)
      ? new Assets({
          folder: pageFolder(),
          facts: hostFacts({
            services,
            networks: networks.all,
            networkServices: [...networkServices],
            isSandbox: live !== undefined,
          }),
        })
      : undefined,
    live,
  });
  await using door = await openDoor(app, {
    trustedProxies: isTrusted,
    connectionsPerAddress: config.connectionsPerAddress,
    host: config.host,
    port: config.port,
    maxCalls: config.maxConcurrentCalls,
    maxLagMs: config.maxLagMs,
    drainMs: config.stopMaxSeconds * 1_000,
    onRefusal: events.refused,
    onCutOff: events.cutOff,
  });
  operations.watch(door);
  readiness.started();
  const { adminUrl } = operations;
  events.started({ url: door.url, adminUrl });
  const ready: Ready = {
    url: door.url,
    adminUrl,
    ...sandbox,
    ...(local === undefined ? {} : { localChain: local.chain }),
    networks: networks.all.map(({ chainId, name }) => ({ chainId, name })),
  };
  if (fill !== undefined) {
    stop.throwIfAborted();
    await Promise.race([
      fill({ ready, database, networks, localChain: local?.sandbox }),
      once(stop, "abort"),
    ]);
    stop.throwIfAborted();
  }
  onReady(ready);
  if (!stop.aborted) await once(stop, "abort");
  readiness.stopping();
  events.stopping();
  // Balancers take their time to see that this host is not ready any more, and send calls until then.
  if (config.stopDelaySeconds > 0) await sleep(config.stopDelaySeconds * 1_000);
}

/** Longest time for all that is closed besides the calls under way, in milliseconds: the database's last checkpoint above all. */
const closeMaxMs = 5_000;

/** How long `/readyz` waits for nodes to say of which chain they are, in milliseconds: one that does not answer keeps no host from work. */
const nodesMaxMs = 1_000;

type OpenChains = (limits?: Partial<ChainLimits>) => Chains;

/** Developers' receivers run on this machine. */
function outboundOptions(config: Config): PolicyOptions {
  const { outboundAllow, outboundDeny: deny, outboundPorts: ports } = config;
  return { allow: isSandbox(config) ? [...outboundAllow, "127.0.0.0/8", "::1"] : outboundAllow, deny, ports };
}

interface Beginning extends AsyncDisposable {
  readonly opened: Promise<LocalNetwork>;
}

/** Is closed, whether anybody has waited for it or not. Loaded for those who ask for it: it stands on viem. */
function beginLocalNetwork(config: Config): Beginning {
  const opened = import("../chain/sandbox/local-network.ts").then(({ openLocalNetwork }) =>
    openLocalNetwork(config, config.dataDir),
  );
  opened.catch(() => {});
  return {
    opened,
    async [Symbol.asyncDispose]() {
      const local = await opened.catch(() => undefined);
      await local?.[Symbol.asyncDispose]();
    },
  };
}

/** Asked while a block waits, so that less is spent on each question than elsewhere. */
function contractTypesOf(networks: Networks, openChains: OpenChains): ContractTypeOf {
  const chains = openChains({ answerMaxBytes: 65_536, callGas: 5_000_000n });
  const types = new ContractTypes(chainOf(networks, chains));
  return (tx, address) => types.of(tx, tx.chainId, address);
}

function chainOf(networks: Networks, chains: Chains): (chainId: number) => Promise<Chain> {
  return async (chainId) => {
    const network = networks.find(chainId);
    if (network === undefined) throw new Error(`chain ${chainId} is followed, and served by no network`);
    return chains.of(network);
  };
}
