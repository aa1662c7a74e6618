import type { Redis } from "ioredis";
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { inBackground, pause, repeatUntil } from "./repeat.ts";

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
  /** Called when Redis begins or stops to count calls. */
  readonly onRedis?: (isCounting: boolean) => void;
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
    const shared = sharedLimiter(redis.client, name, points);
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
      await redis?.[Symbol.asyncDispose]();
    },
  };
}

/** Interval at which a host checks whether Redis counts, in milliseconds. */
const checkMs = 5_000;

/** While Redis does not count calls, each replica counts its own, and calls do not wait for Redis. */
class RedisBreaker {
  readonly #options: Pick<RateLimitOptions, "log" | "onRedis">;
  #isFailing = false;

  constructor(options: Pick<RateLimitOptions, "log" | "onRedis">) {
    this.#options = options;
  }

  async run<Result>(inRedis: () => Promise<Result>, inMemory: () => Promise<Result>): Promise<Result> {
    if (this.#isFailing) return inMemory();
    try {
      return await inRedis();
    } catch (err) {
      // Otherwise Redis has counted, and the call is above its limit.
      if (!(err instanceof Error)) throw err;
      this.failed(err);
      return inMemory();
    }
  }

  succeeded(): void {
    if (!this.#isFailing) return;
    this.#isFailing = false;
    this.#options.onRedis?.(true);
    this.#options.log("Redis counts the calls of all replicas again");
  }

  failed({ message }: Error): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#options.onRedis?.(false);
    // What ioredis says of any command before it is connected.
    const reason = message.startsWith("Stream isn't writeable")
      ? "there is no connection; check REDIS_URL"
      : message;
    this.#options.log(
      `Redis cannot count calls, so each replica counts its own calls for rate limits: ${reason}`,
    );
  }
}

interface CheckedRedis extends AsyncDisposable {
  readonly client: Redis;
}

/** Checks Redis at intervals by counting, since a Redis without memory, for example, still responds to reads. */
async function openRedis(url: string, breaker: RedisBreaker): Promise<CheckedRedis> {
  const { Redis } = await import("ioredis");
  const client = new Redis(url, { enableOfflineQueue: false, commandTimeout: 500, maxRetriesPerRequest: 0 });
  const limiter = sharedLimiter(client, "check", 1);
  const check = () =>
    limiter.penalty("").then(
      () => breaker.succeeded(),
      (err: Error) => breaker.failed(err),
    );
  client.on("error", (err: Error) => breaker.failed(err));
  client.on("ready", check);
  const checking = inBackground(async (signal) => {
    await pause(checkMs, signal);
    await repeatUntil(signal, checkMs, check);
  });
  return {
    client,
    async [Symbol.asyncDispose]() {
      await checking[Symbol.asyncDispose]();
      client.disconnect();
    },
  };
}

function sharedLimiter(storeClient: Redis, name: string, points: number): RateLimiterRedis {
  return new RateLimiterRedis({
    storeClient,
    keyPrefix: `platform:${name}`,
    points,
    duration: windowSeconds,
    // Callers above the limit cost no further round trips.
    inMemoryBlockOnConsumed: points + 1,
  });
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
