import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type Config, needsDataFolder } from "../base/config/config.ts";
import type { Database } from "../base/storage/database.ts";
import type { Networks } from "../chain/networks/networks.ts";
import type { SandboxChain } from "../chain/sandbox/chain.ts";
import { openDataFolder } from "./data-folder.ts";
import type { ApiServer } from "./http/api-server.ts";
import { type Operations, openOperations } from "./operations/open.ts";
import type { Ready } from "./ready.ts";
import { withCalls } from "./stages/calls.ts";
import { type Storage, withStorage } from "./stages/storage.ts";
import { type Workers, withWorkers } from "./stages/workers.ts";
import { startStopDeadline } from "./stop-deadline.ts";

export interface HostHooks {
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
 * Serves until `stop` is aborted. A host opens in stages, each of which needs those before it, and closes in the reverse order, also
 * when a later stage could not open. If closing takes too long, the process ends.
 */
export async function serve(config: Config, around: HostHooks): Promise<void> {
  const { appVersion, stop } = around;
  if (needsDataFolder(config)) openDataFolder(config.dataDir);
  const { stopDelaySeconds, stopMaxSeconds } = config;
  const deadline = startStopDeadline(stop, (stopDelaySeconds + stopMaxSeconds) * 1_000 + closeMaxMs);
  await using operations = await openOperations(config, appVersion);
  deadline.reportWith(operations.logCutShort);
  await withStorage({ config, operations, stop }, (storage) =>
    withWorkers({ config, operations, storage, stop }, (workers) =>
      withCalls({ config, appVersion, operations, storage, workers }, async (door) => {
        await announce({ operations, storage, workers, door }, around);
        await untilStopped(stop, operations, stopDelaySeconds);
      }),
    ),
  );
}

/** Longest time to close everything but the calls under way, in milliseconds. Most of it is the last checkpoint of the database. */
const closeMaxMs = 5_000;

interface Opened {
  readonly operations: Operations;
  readonly storage: Storage;
  readonly workers: Workers;
  readonly door: ApiServer;
}

async function announce(
  { operations, storage, workers, door }: Opened,
  { onReady, fill, stop }: HostHooks,
): Promise<void> {
  const { adminUrl, readiness, events } = operations;
  const { database, sandbox, local } = storage;
  const { networks } = workers;
  readiness.started();
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
}

async function untilStopped(
  stop: AbortSignal,
  { readiness, events }: Operations,
  delaySeconds: number,
): Promise<void> {
  if (!stop.aborted) await once(stop, "abort");
  readiness.stopping();
  events.stopping();
  // Balancers take their time to see that this host is not ready any more, and send calls until then.
  if (delaySeconds > 0) await sleep(delaySeconds * 1_000);
}
