import { filesByPath, redirectTo, type ServedFile } from "ridlkit-runtime/explorer";
import { createRecorder } from "../../../generated/recorder.ts";
import type { HostInfo } from "../../../generator/explorer/page/call/host-info.ts";
import { pageTexts } from "../../../generator/explorer/page-texts.ts";
import { type Config, hasExplorer } from "../../base/config/config.ts";
import { createSealer } from "../../base/sealer.ts";
import type { Network } from "../../chain/networks/network.ts";
import { createApp } from "../app.ts";
import { type ApiServer, openApiServer } from "../http/api-server.ts";
import { trustProxies } from "../http/caller-address.ts";
import { networkServices } from "../http/network-path.ts";
import type { Operations } from "../observability/operations.ts";
import type { Storage } from "./storage.ts";
import type { Workers } from "./workers.ts";

interface CallsOptions {
  readonly config: Config;
  readonly appVersion: string;
  readonly operations: Operations;
  readonly storage: Storage;
  readonly workers: Workers;
}

/** Serves calls until `use` resolves. Storage and workers stay open until the last call has ended. */
export async function withCalls(
  { config, appVersion, operations, storage, workers }: CallsOptions,
  use: (apiServer: ApiServer) => Promise<void>,
): Promise<void> {
  const { events } = operations;
  await using recorder =
    config.recordTo === undefined
      ? undefined
      : createRecorder(config.recordTo, { tell: events.recordingEnded });
  const trustedProxies = trustProxies(config.trustedProxies);
  const app = createApp({
    database: storage.database,
    sealer: createSealer(storage.signingKeys, "platform kept responses"),
    webhooksFor: workers.webhooksFor,
    streams: workers.streams,
    networks: workers.networks,
    chains: workers.chains,
    state: workers.state,
    appVersion,
    checkResponses: config.checkResponses,
    swapDeadlineSeconds: config.swapDeadlineSeconds,
    swapMaxPriceImpactPercent: config.swapMaxPriceImpactPercent,
    events,
    services: config.services,
    tracing: operations.tracing,
    recorder,
    credentials: storage.credentials,
    rateLimits: storage.rateLimits,
    trustedProxies,
    secretKeyOrigins: config.secretKeyOrigins,
    explorer: hasExplorer(config) ? openExplorer(config, workers) : undefined,
    live: workers.live,
  });
  await using apiServer = await openApiServer(app, {
    trustedProxies,
    connectionsPerAddress: config.connectionsPerAddress,
    host: config.host,
    port: config.port,
    maxCalls: config.maxConcurrentCalls,
    maxLagMs: config.maxLagMs,
    drainMs: config.stopMaxSeconds * 1_000,
    onRejection: events.rejected,
    onCutOff: events.cutOff,
  });
  operations.watchApiServer(apiServer);
  await use(apiServer);
}

function openExplorer({ services }: Config, { networks, live }: Workers): ReadonlyMap<string, ServedFile> {
  const info = (): HostInfo =>
    hostInfo({
      services,
      networks: networks.all,
      networkServices: [...networkServices],
      isSandbox: live !== undefined,
    });
  const files = filesByPath("/explorer/", { ...pageTexts(), "host.json": () => JSON.stringify(info()) });
  return files.set("/", redirectTo("explorer/"));
}

/** What the explorer needs to know about this host, in addition to the contract. */
interface HostInfoSource {
  readonly services: readonly string[];
  readonly networks: readonly Network[];
  /** Services with a path for each network. */
  readonly networkServices: readonly string[];
  readonly isSandbox: boolean;
}

const sandboxHelp = "Open the explorer by its address in the terminal: it fills in the keys.";

function hostInfo({ services, networks, networkServices, isSandbox }: HostInfoSource): HostInfo {
  return {
    title: "Platform API",
    services,
    networks: networks.map(({ chainId, name }) => ({ chainId, name })),
    networkServices,
    keys: [
      {
        name: "accessKey",
        title: "Access key",
        header: "X-Access-Key",
        help: isSandbox
          ? sandboxHelp
          : "Paste the key of your project. Operators create keys with: npx platform keys create.",
      },
      {
        name: "secretKey",
        title: "Secret key",
        header: "Authorization",
        prefix: "BEARER ",
        isSecret: true,
        help: isSandbox
          ? sandboxHelp
          : "Paste the secret key of a service account. Operators create them with: npx platform secrets create.",
      },
    ],
    isSandbox,
    openapi: "../openapi.json",
    ...(isSandbox ? { command: "npm start" } : {}),
  };
}
