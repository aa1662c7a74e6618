import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";

/** Whose calls are counted, and where. */
export interface RateLimits extends AsyncDisposable {
  /** Each answers the limit that is used up, or undefined if the call may pass. */
  countAddress(address: string): Promise<ExceededLimit | undefined>;
  countProject(call: ProjectCall): Promise<ExceededLimit | undefined>;
  /** Credentials that were refused: guessing them uses up the address's calls ten times as fast. */
  countFailure(address: string): Promise<void>;
  /** A body that was read: a large one uses up several calls. */
  countBody(address: string, bytes: number): Promise<void>;
}

/** The limits by their labels, which the header X-RateLimit-Scope, the log and the metrics share. */
export type RateLimitLabel = "address" | "address-and-key" | "project" | "address-connections";

/** A limit that a call is past. */
export interface ExceededLimit {
  readonly limit: Exclude<RateLimitLabel, "address-connections">;
  /** Calls a minute. */
  readonly calls: number;
  readonly waitSeconds: number;
}

export interface ProjectCall {
  readonly projectId: number;
  readonly accessKey: string;
  readonly address: string;
}

export interface RateLimitOptions {
  /** Calls a minute. */
  readonly rateLimitProject: number;
  readonly rateLimitAddress: number;
  /** Counts for all replicas together; undefined: each counts its own calls. */
  readonly redisUrl: string | undefined;
  readonly log: (line: string) => void;
}

const windowSeconds = 60;

/** What a refused credential counts, in calls. */
const failureCost = 10;

/**
 * Bytes of a body that count as one more call. To read a mebibyte may take as long as a hundred calls, and it is read of callers without
 * a key, too; bodies of people are smaller than this.
 */
export const bytesPerCall = 16_384;

/** One address may not use up more than a tenth of what a project has: access keys are public, and anybody may take one. */
const shareOfAddress = 10;

export async function openRateLimits(options: RateLimitOptions): Promise<RateLimits> {
  const redis = options.redisUrl === undefined ? undefined : await openRedis(options.redisUrl, options.log);
  function limiter(name: string, points: number): RateLimiterMemory | RateLimiterRedis {
    const memory = new RateLimiterMemory({ keyPrefix: name, points, duration: windowSeconds });
    if (redis === undefined) return memory;
    // Without Redis each replica counts by itself: calls go on.
    return new RateLimiterRedis({
      storeClient: redis,
      keyPrefix: `platform:${name}`,
      points,
      duration: windowSeconds,
      insuranceLimiter: memory,
      // Whoever is past the limit costs no more round trips.
      inMemoryBlockOnConsumed: points + 1,
    });
  }
  const { rateLimitAddress, rateLimitProject } = options;
  const rateLimitShare = Math.max(1, Math.floor(rateLimitProject / shareOfAddress));
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
    async countFailure(address) {
      await addresses.penalty(address, failureCost - 1);
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
  // A call does not wait for a Redis that is away.
  const redis = new Redis(url, { enableOfflineQueue: false, commandTimeout: 500, maxRetriesPerRequest: 0 });
  let isTold = false;
  redis.on("error", (err: Error) => {
    if (!isTold) log(`Redis does not answer, rate limits are counted by each replica: ${err.message}`);
    isTold = true;
  });
  redis.on("ready", () => {
    if (isTold) log("Redis answers again, rate limits are counted by all replicas together");
    isTold = false;
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
  } catch (refused) {
    if (refused instanceof RateLimiterRes)
      return { limit, calls, waitSeconds: Math.max(1, Math.ceil(refused.msBeforeNext / 1000)) };
    throw refused;
  }
}
