import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type Config, needsDataFolder } from "../base/config/config.ts";
import type { Database } from "../base/storage/database.ts";
import type { Networks } from "../chain/networks/networks.ts";
import type { SandboxChain } from "../chain/sandbox/chain.ts";
import { openDataFolder } from "./data-folder.ts";
import type { ApiServer } from "./http/api-server.ts";
import { type Operations, openOperations } from "./observability/operations.ts";
import type { Ready } from "./ready.ts";
import type { Live } from "./sandbox-page/live.ts";
import { withCalls } from "./stages/calls.ts";
import { type Storage, withStorage } from "./stages/storage.ts";
import { type Workers, withWorkers } from "./stages/workers.ts";
import { startStopDeadline, stopMaxMs } from "./stop-deadline.ts";

export interface HostHooks {
  readonly appVersion: string;
  readonly onReady: (ready: Ready) => void;
  /** Adds demo data. Called once the host serves calls; `onReady` is called afterwards. */
  readonly addSampleData?: (open: OpenHost) => Promise<void>;
  readonly stop: AbortSignal;
}

export interface OpenHost {
  readonly ready: Ready;
  readonly database: Database;
  readonly networks: Networks;
  /** Undefined unless the host is a sandbox. */
  readonly live: Live | undefined;
  /** Undefined unless the host has started a chain of its own. */
  readonly localChain: SandboxChain | undefined;
}

/**
 * Serves until `stop` is aborted. A host opens in stages. Each stage needs those before it, and they close in reverse order, also
 * when a later stage fails to open. The process exits if closing takes too long.
 */
export async function serve(config: Config, hooks: HostHooks): Promise<void> {
  const { appVersion, stop } = hooks;
  if (needsDataFolder(config)) openDataFolder(config.dataDir);
  const deadline = startStopDeadline(stop, stopMaxMs(config));
  await using operations = await openOperations(config, appVersion);
  deadline.setReport(operations.logCutShort);
  await withStorage({ config, appVersion, operations, stop }, (storage) =>
    withWorkers({ config, operations, storage, stop }, (workers) =>
      withCalls({ config, appVersion, operations, storage, workers }, async (apiServer) => {
        await announce({ operations, storage, workers, apiServer }, hooks);
        await untilStopped(stop, operations, config.stopDelaySeconds);
      }),
    ),
  );
}

interface OpenStages {
  readonly operations: Operations;
  readonly storage: Storage;
  readonly workers: Workers;
  readonly apiServer: ApiServer;
}

async function announce(
  { operations, storage, workers, apiServer }: OpenStages,
  { onReady, addSampleData, stop }: HostHooks,
): Promise<void> {
  const { adminUrl, readiness, events, log } = operations;
  const { database, sandbox, local } = storage;
  const { networks, live } = workers;
  readiness.started();
  events.started({ url: apiServer.url, adminUrl });
  const ready: Ready = {
    url: apiServer.url,
    adminUrl,
    ...sandbox,
    ...(local === undefined ? {} : { localChain: local.chain }),
    networks: networks.all.map(({ chainId, name }) => ({ chainId, name })),
  };
  if (addSampleData !== undefined) {
    stop.throwIfAborted();
    await Promise.race([
      addSampleData({ ready, database, networks, live, localChain: local?.sandbox }),
      once(stop, "abort"),
    ]);
    stop.throwIfAborted();
  }
  // A first start that is interrupted begins again with an empty chain.
  const warn = (line: string): void => log.warn({}, line);
  local?.sandbox.keepState(warn);
  const watch = local?.sandbox.watchMining(warn);
  if (watch !== undefined) readiness.register("sandboxChain", async () => watch.problem);
  onReady(ready);
}

async function untilStopped(
  stop: AbortSignal,
  { readiness, events }: Operations,
  delaySeconds: number,
): Promise<void> {
  if (!stop.aborted) await once(stop, "abort");
  readiness.stopping();
  events.stopping();
  // Load balancers need time to notice that this host is no longer ready, and send calls until then.
  if (delaySeconds > 0) await sleep(delaySeconds * 1_000);
}
