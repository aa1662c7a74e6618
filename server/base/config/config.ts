import type { LogLevel } from "./log-level.ts";
import type { ServiceName } from "./service-names.ts";

/** All that a host can be told, read once at start. Each key is a setting of `settings.ts`, which says what it means. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly networks: readonly string[] | undefined;
  readonly rpcUrls: readonly string[];
  readonly networkDetails: unknown;
  readonly json: boolean;
  readonly checkResponses: boolean;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly databaseConnections: number;
  readonly databasePooler: boolean;
  readonly databaseStatementTimeoutMs: number;
  readonly readMaxMs: number;
  readonly redisUrl: string | undefined;
  /** Undefined: where only this machine can reach the host, and no database of somebody else's is used. */
  readonly sandbox: boolean | undefined;
  /** Nothing that is for developers. */
  readonly production: boolean;
  /** A local chain for developers. */
  readonly sandboxChain: boolean;
  /** Undefined: where there is a sandbox. */
  readonly explorer: boolean | undefined;
  readonly swapDeadlineSeconds: number;
  readonly signingAlgorithm: SigningAlgorithm;
  readonly signingKey: string | undefined;
  readonly secretKeyOrigins: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly outboundAllow: readonly string[];
  readonly outboundDeny: readonly string[];
  readonly outboundPorts: readonly string[];
  readonly collections: readonly string[];
  /** Ends with a slash. */
  readonly ipfsGateway: string | undefined;
  readonly rateLimitProject: number;
  readonly rateLimitAddress: number;
  readonly connectionsPerAddress: number;
  readonly maxConcurrentCalls: number;
  readonly maxLagMs: number;
  readonly stopMaxSeconds: number;
  readonly stopDelaySeconds: number;
  readonly services: readonly ServiceName[];
  readonly adminHost: string;
  readonly adminNames: readonly string[];
  /** Undefined: 4001, or a free one where `port` is a free one. */
  readonly adminPort: number | undefined;
  readonly logLevel: LogLevel;
  /** File of the recording of calls; undefined: none. */
  readonly recordTo: string | undefined;
  readonly tracingUrl: string | undefined;
  readonly tracingSamplePercent: number;
}

export type SigningAlgorithm = "HS256" | "ES256" | "EdDSA";

/** Addresses that only this machine can reach. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.[0-9]{1,3}){3}$/.test(host);
}

/** Whether something lies on this machine's disk. */
export function needsDataFolder(config: Config): boolean {
  return config.databaseUrl === undefined || isSandbox(config);
}

/** Whether this host is a developer's own: it then has a demo project and tells its keys. */
export function isSandbox({ sandbox, production, host, databaseUrl }: Config): boolean {
  return sandbox ?? (!production && isLoopback(host) && databaseUrl === undefined);
}

/** Whether the page is served: in production only if its operator wants it. */
export function hasExplorer(config: Config): boolean {
  return config.explorer ?? isSandbox(config);
}
