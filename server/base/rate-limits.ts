import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";

export interface RateLimits extends AsyncDisposable {
  /** Each returns the exceeded limit, or undefined if the call may pass. */
  countAddress(address: string): Promise<ExceededLimit | undefined>;
  countProject(call: ProjectCall): Promise<ExceededLimit | undefined>;
  /** Counts rejected credentials: guessing keys uses up an address's limit ten times as fast. */
  countRejectedCredentials(address: string): Promise<void>;
  /** Counts a body that was read: a large body counts as several calls. */
  countBody(address: string, bytes: number): Promise<void>;
  /** Counts a call as further calls, because it costs more than others. */
  countFurther(address: string, calls: number): Promise<void>;
}

/** Labels of the limits, shared by the header X-RateLimit-Scope, the log and the metrics. */
export const rateLimitLabels = ["address", "address-and-key", "project", "address-connections"] as const;

export type RateLimitLabel = (typeof rateLimitLabels)[number];

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
  /** Called when Redis begins or stops to respond. */
  readonly onRedis?: (isResponding: boolean) => void;
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

type Limiter = Pick<RateLimiterMemory, "consume" | "penalty">;

export async function openRateLimits(options: RateLimitOptions): Promise<RateLimits> {
  const breaker = new RedisBreaker(options);
  const redis = options.redisUrl === undefined ? undefined : await openRedis(options.redisUrl, breaker);
  function limiter(name: string, points: number): Limiter {
    const memory = new RateLimiterMemory({ keyPrefix: name, points, duration: windowSeconds });
    if (redis === undefined) return memory;
    const shared = new RateLimiterRedis({
      storeClient: redis,
      keyPrefix: `platform:${name}`,
      points,
      duration: windowSeconds,
      // Callers above the limit cost no further round trips.
      inMemoryBlockOnConsumed: points + 1,
    });
    return {
      consume: (key, count) =>
        breaker.run(
          () => shared.consume(key, count),
          () => memory.consume(key, count),
        ),
      penalty: (key, count) =>
        breaker.run(
          () => shared.penalty(key, count),
          () => memory.penalty(key, count),
        ),
    };
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
    async countFurther(address, calls) {
      await addresses.penalty(address, calls);
    },
    async [Symbol.asyncDispose]() {
      redis?.disconnect();
    },
  };
}

/** After a failure, Redis gets one call in this time, in milliseconds. The others count in memory without waiting. */
const redisPauseMs = 5_000;

/** While Redis does not respond, each replica counts its own calls, and calls do not wait for Redis. */
class RedisBreaker {
  readonly #options: Pick<RateLimitOptions, "log" | "onRedis">;
  #isFailing = false;
  #pausedUntil = 0;

  constructor(options: Pick<RateLimitOptions, "log" | "onRedis">) {
    this.#options = options;
  }

  async run<Result>(inRedis: () => Promise<Result>, inMemory: () => Promise<Result>): Promise<Result> {
    if (performance.now() < this.#pausedUntil) return inMemory();
    // The call that ends the pause is the only one until its result is known.
    if (this.#isFailing) this.#pausedUntil = performance.now() + redisPauseMs;
    try {
      const result = await inRedis();
      this.succeeded();
      return result;
    } catch (err) {
      if (!(err instanceof Error)) {
        this.succeeded();
        throw err;
      }
      this.failed(err);
      return inMemory();
    }
  }

  succeeded(): void {
    this.#pausedUntil = 0;
    if (!this.#isFailing) return;
    this.#isFailing = false;
    this.#options.onRedis?.(true);
    this.#options.log("Redis responds again; rate limits count the calls of all replicas");
  }

  failed({ message }: Error): void {
    this.#pausedUntil = performance.now() + redisPauseMs;
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#options.onRedis?.(false);
    this.#options.log(
      `Redis does not respond; each replica counts its own calls for rate limits: ${message}`,
    );
  }
}

async function openRedis(url: string, breaker: RedisBreaker): Promise<import("ioredis").Redis> {
  const { Redis } = await import("ioredis");
  const redis = new Redis(url, { enableOfflineQueue: false, commandTimeout: 500, maxRetriesPerRequest: 0 });
  redis.on("error", (err: Error) => breaker.failed(err));
  redis.on("ready", () => breaker.succeeded());
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
