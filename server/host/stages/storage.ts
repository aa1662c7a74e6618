import { type Config, isSandbox, migratesAtStart } from "../../base/config/config.ts";
import { type Credentials, openCredentials } from "../../base/credentials/credentials.ts";
import { openSandbox, rejectSandboxKeys, type Sandbox } from "../../base/credentials/sandbox.ts";
import { countSecretKeys } from "../../base/credentials/signed-secret-keys.ts";
import { keyFileWarning, readSigningKeys, type SigningKeys } from "../../base/credentials/signing-key.ts";
import { openRateLimits, type RateLimits } from "../../base/rate-limits.ts";
import { unknownKeyId } from "../../base/sealer.ts";
import { StartFault } from "../../base/start-fault.ts";
import type { Database } from "../../base/storage/database.ts";
import type { StorageLog } from "../../base/storage/embedded/embedded.ts";
import { openResponseDeletion } from "../../base/storage/idempotency-keys.ts";
import { openBackgroundDatabase, openStorage } from "../../base/storage/open-storage.ts";
import { ping } from "../../base/storage/ping.ts";
import { openReplica } from "../../base/storage/replicas.ts";
import { readCheckpoint } from "../../chain/follower/checkpoint.ts";
import type { LocalNetwork } from "../../chain/sandbox/local-network.ts";
import { replaceLostBlocks } from "../../chain/sandbox/rpc.ts";
import { countUnreadable } from "../../webhooks/sealed-secrets.ts";
import { startLoggingRecords } from "../observability/audit-log.ts";
import type { Log } from "../observability/log.ts";
import type { Operations } from "../observability/operations.ts";

/** The database, credentials and rate limits. */
export interface Storage {
  readonly signingKeys: SigningKeys;
  readonly database: Database;
  /** The same database, with separate connections for background work. */
  readonly backgroundDatabase: Database;
  readonly credentials: Credentials;
  readonly rateLimits: RateLimits;
  readonly sandbox: Sandbox | undefined;
  readonly replicaId: string;
  /** The local chain, if the host runs one. Database and chain start at the same time. */
  readonly local: LocalNetwork | undefined;
}

export interface StorageOptions {
  readonly config: Config;
  readonly appVersion: string;
  readonly operations: Operations;
  /** When aborted, `withStorage` throws its reason. */
  readonly stop: AbortSignal;
}

export async function withStorage(
  { config, appVersion, operations, stop }: StorageOptions,
  use: (storage: Storage) => Promise<void>,
): Promise<void> {
  const { log, events } = operations;
  const warn = (line: string) => log.warn({}, line);
  const signingKeys = readSigningKeys(config);
  const keyWarning = keyFileWarning(config);
  if (keyWarning !== undefined) warn(keyWarning);
  await using startingChain = config.sandboxChain ? startLocalNetwork(config) : undefined;
  await using database = await openStorage(config, {
    log: storageLog(log),
    schema: migratesAtStart(config) ? "migrate" : "require",
    stop,
    onError: operations.databaseFailed,
  });
  if (config.production) await rejectSandboxKeys(database);
  await checkSecrets(database, signingKeys, isSandbox(config) ? warn : undefined);
  await warnOfSecretKeys(database, signingKeys, warn);
  await using backgroundDatabase = openBackgroundDatabase(database, {
    ...config,
    onError: operations.databaseFailed,
  });
  watchStorage(operations, database);
  await using credentials = openCredentials(database, { signingKeys, canListen: !config.databasePooler });
  await using rateLimits = await openRateLimits({
    ...config,
    log: warn,
    onRedis: watchRedis(operations, config),
  });
  await using replica = openReplica(database, {
    version: appVersion,
    keyIds: signingKeys.map(({ id }) => id),
    settings: config,
    onOthers: (others) => {
      if (config.redisUrl === undefined)
        warn(
          `${others + 1} replicas share the database, but each counts its own calls, so rate limits are per replica; set REDIS_URL to share them`,
        );
    },
    onDiffering: events.replicaDiffers,
    onClock: events.clockChanged,
  });
  operations.watchReplicas(replica);
  // Hosts that do not log calls would mark records as logged, too.
  const logsRecords = config.logLevel === "info" || config.logLevel === "debug";
  await using _records = logsRecords ? startLoggingRecords(backgroundDatabase, events.commanded) : undefined;
  await using _responses = openResponseDeletion(backgroundDatabase, events.responseDeletionFailed);
  const sandbox = isSandbox(config) ? await openSandbox(database, config.dataDir, signingKeys[0]) : undefined;
  const local = await startingChain?.started;
  if (local?.sandbox.isRestored === true) await undoLostBlocks(database, local, warn);
  stop.throwIfAborted();
  await use({
    signingKeys,
    database,
    backgroundDatabase,
    credentials,
    rateLimits,
    sandbox,
    replicaId: replica.id,
    local,
  });
}

/** Throws StartFault, or calls `warn`, if webhooks could not be signed because a signing key is missing. */
async function checkSecrets(
  database: Database,
  signingKeys: SigningKeys,
  warn: ((line: string) => void) | undefined,
): Promise<void> {
  for (const [id, listeners] of await countUnreadable(database, signingKeys)) {
    const line = `the secrets of ${listeners} webhook listeners are encrypted with ${missingKey(id, signingKeys)}; ${missingKeyAdvice(id)}`;
    if (warn === undefined) throw new StartFault(line);
    warn(line);
  }
}

/** Calls with secret keys of a missing signing key get 401. They do not stop the start, because the host can do all else. */
async function warnOfSecretKeys(
  database: Database,
  signingKeys: SigningKeys,
  warn: (line: string) => void,
): Promise<void> {
  const known = [unknownKeyId, ...signingKeys.map(({ id }) => id)];
  for (const [id, count] of await countSecretKeys(database))
    if (!known.includes(id))
      warn(
        `${count} secret keys are signed with ${missingKey(id, signingKeys)}, so calls with them get 401; ${missingKeyAdvice(id)}`,
      );
}

function missingKey(id: string, [first]: SigningKeys): string {
  return `the signing key ${id}, which is neither in SIGNING_KEY (${first.id}) nor in SIGNING_KEY_FALLBACKS`;
}

function missingKeyAdvice(id: string): string {
  return `add it there, or if it is lost, run: platform signing-keys forget ${id}`;
}

async function undoLostBlocks(
  database: Database,
  { sandbox: { chainId, rpcUrl } }: LocalNetwork,
  warn: (line: string) => void,
): Promise<void> {
  const checkpoint = await readCheckpoint(database, chainId);
  const lost = checkpoint && (await replaceLostBlocks(rpcUrl, checkpoint.number));
  if (lost === undefined) return;
  const isOne = lost.from === lost.to;
  const blocks = isOne ? `block ${lost.from} was` : `blocks ${lost.from} to ${lost.to} were`;
  const undone = isOne ? "it is undone" : "they are undone";
  warn(
    `the platform was killed before ${blocks} saved: ${undone}, and the local chain continues without ${isOne ? "it" : "them"}`,
  );
}

function storageLog(log: Log): StorageLog {
  return {
    info: (line) => log.info({}, line),
    warn: (line) => log.warn({}, line),
    error: (line) => log.error({}, line),
  };
}

function watchStorage({ readiness, watchDatabase }: Operations, database: Database): void {
  let pending: Promise<void> | undefined;
  const pingOnce = (): Promise<void> => {
    pending ??= ping(database).finally(() => {
      pending = undefined;
    });
    return pending;
  };
  readiness.register("database", async () => void (await pingOnce()));
  watchDatabase({ load: database.load, ping: pingOnce });
}

function watchRedis({ metrics }: Operations, { redisUrl }: Config): (isCounting: boolean) => void {
  let isUp = redisUrl === undefined ? Number.NaN : 1;
  metrics.gauge(
    "platform_redis_up",
    "1 while Redis counts the calls of all replicas; 0 while each counts its own; NaN without REDIS_URL",
    () => isUp,
  );
  return (isCounting) => {
    isUp = isCounting ? 1 : 0;
  };
}

interface StartingNetwork extends AsyncDisposable {
  readonly started: Promise<LocalNetwork>;
}

/** Closes the network even if nothing has awaited its start. Imported on first use: it needs viem. */
function startLocalNetwork(config: Config): StartingNetwork {
  const started = import("../../chain/sandbox/local-network.ts").then(({ openLocalNetwork }) =>
    openLocalNetwork(config, config.dataDir),
  );
  started.catch(() => {});
  return {
    started,
    async [Symbol.asyncDispose]() {
      const local = await started.catch(() => undefined);
      await local?.[Symbol.asyncDispose]();
    },
  };
}
