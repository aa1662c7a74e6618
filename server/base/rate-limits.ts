import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";

export interface RateLimits extends AsyncDisposable {
  /** Each returns the exceeded limit, or undefined if the call may pass. */
  countAddress(address: string): Promise<ExceededLimit | undefined>;
  countProject(call: ProjectCall): Promise<ExceededLimit | undefined>;
  /** Counts rejected credentials: guessing keys uses up an address's limit ten times as fast. */
  countRejectedCredentials(address: string): Promise<void>;
  /** Counts a body that was read: a large body counts as several calls. */
  countBody(address: string, bytes: number): Promise<void>;
}

/** Labels of the limits, shared by the header X-RateLimit-Scope, the log and the metrics. */
export type RateLimitLabel = "address" | "address-and-key" | "project" | "address-connections";

export interface ExceededLimit {
  readonly limit: Exclude<RateLimitLabel, "address-connections">;
  /** Calls per minute. */
  readonly calls: number;
  readonly waitSeconds: number;
}

export interface ProjectCall {
  readonly projectId: number;
  readonly accessKey: string;
  readonly address: string;
}

export interface RateLimitOptions {
  /** Calls per minute. */
  readonly rateLimitProject: number;
  readonly rateLimitAddress: number;
  /** Counts the calls of all replicas; undefined: each replica counts its own. */
  readonly redisUrl: string | undefined;
  readonly log: (line: string) => void;
}

const windowSeconds = 60;

/** Cost of rejected credentials, in calls. */
const rejectedCredentialsCost = 10;

/**
 * Bytes of a body that count as one more call. Reading a mebibyte may take as long as a hundred calls, also for callers without a
 * key. Ordinary bodies are smaller than this.
 */
export const bytesPerCall = 16_384;

/** One address may use a tenth of a project's limit: access keys are public, and anyone may use one. */
const addressDivisor = 10;

export async function openRateLimits(options: RateLimitOptions): Promise<RateLimits> {
  const redis = options.redisUrl === undefined ? undefined : await openRedis(options.redisUrl, options.log);
  function limiter(name: string, points: number): RateLimiterMemory | RateLimiterRedis {
    const memory = new RateLimiterMemory({ keyPrefix: name, points, duration: windowSeconds });
    if (redis === undefined) return memory;
    // If Redis is unavailable, each replica counts its own calls, and calls go on.
    return new RateLimiterRedis({
      storeClient: redis,
      keyPrefix: `platform:${name}`,
      points,
      duration: windowSeconds,
      insuranceLimiter: memory,
      // Callers above the limit cost no further round trips.
      inMemoryBlockOnConsumed: points + 1,
    });
  }
  const { rateLimitAddress, rateLimitProject } = options;
  const rateLimitShare = Math.max(1, Math.floor(rateLimitProject / addressDivisor));
  const addresses = limiter("address", rateLimitAddress);
  const projects = limiter("project", rateLimitProject);
  const shares = limiter("share", rateLimitShare);
  return {
    countAddress: (address) => exceededLimit("address", rateLimitAddress, addresses.consume(address)),
    async countProject({ projectId, accessKey, address }) {
      return (
        (await exceededLimit("address-and-key", rateLimitShare, shares.consume(`${accessKey} ${address}`))) ??
        (await exceededLimit("project", rateLimitProject, projects.consume(projectId)))
      );
    },
    async countRejectedCredentials(address) {
      await addresses.penalty(address, rejectedCredentialsCost - 1);
    },
    async countBody(address, bytes) {
      if (bytes >= bytesPerCall) await addresses.penalty(address, Math.floor(bytes / bytesPerCall));
    },
    async [Symbol.asyncDispose]() {
      redis?.disconnect();
    },
  };
}

async function openRedis(url: string, log: (line: string) => void): Promise<import("ioredis").Redis> {
  const { Redis } = await import("ioredis");
  // Calls do not wait for an unavailable Redis.
  const redis = new Redis(url, { enableOfflineQueue: false, commandTimeout: 500, maxRetriesPerRequest: 0 });
  let isReported = false;
  redis.on("error", (err: Error) => {
    if (!isReported)
      log(`Redis does not respond; each replica counts its own calls for rate limits: ${err.message}`);
    isReported = true;
  });
  redis.on("ready", () => {
    if (isReported) log("Redis responds again; rate limits count the calls of all replicas");
    isReported = false;
  });
  return redis;
}

async function exceededLimit(
  limit: ExceededLimit["limit"],
  calls: number,
  consumed: Promise<unknown>,
): Promise<ExceededLimit | undefined> {
  try {
    await consumed;
    return undefined;
  } catch (rejected) {
    if (rejected instanceof RateLimiterRes)
      return { limit, calls, waitSeconds: Math.max(1, Math.ceil(rejected.msBeforeNext / 1000)) };
    throw rejected;
  }
}
