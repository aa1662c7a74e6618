export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** The services of the contract, spelled as on the wire. */
export const serviceNames = ["API", "Builder", "Metadata", "Marketplace", "Indexer"] as const;
export type ServiceName = (typeof serviceNames)[number];

/** `marketplace` → `Marketplace`; undefined: unknown service. */
export function findService(name: string): ServiceName | undefined {
  return serviceNames.find((service) => service.toLowerCase() === name.toLowerCase());
}

/**
 * Settings that must be the same on all replicas, because any of them serves a call or sends a webhook. Replicas may differ in roles,
 * networks and sizes. Other replicas and operators see the values.
 */
export const sharedSettings = [
  "outboundAllow",
  "outboundDeny",
  "outboundPorts",
  "rateLimitAddress",
  "rateLimitProject",
  "secretKeyOrigins",
] as const;

/** The configuration of a host, read once at start. `settings.ts` describes each key. */
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
  /** Undefined: on if only this machine can reach the host and it uses the embedded database. */
  readonly sandbox: boolean | undefined;
  readonly production: boolean;
  /** Undefined: unless in production. */
  readonly migrate: boolean | undefined;
  readonly sandboxChain: boolean;
  /** Undefined: served in a sandbox. */
  readonly explorer: boolean | undefined;
  readonly swapDeadlineSeconds: number;
  readonly swapMaxPriceImpactPercent: number;
  readonly signingAlgorithm: SigningAlgorithm;
  readonly signingKey: string | undefined;
  readonly signingKeyFallbacks: readonly string[];
  readonly secretKeyOrigins: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly outboundAllow: readonly string[];
  readonly outboundDeny: readonly string[];
  readonly outboundPorts: readonly string[];
  readonly collections: readonly string[];
  /** Ends with a slash. */
  readonly ipfsGateway: string | undefined;
  /** Ends with a slash. */
  readonly arweaveGateway: string | undefined;
  readonly rateLimitProject: number;
  readonly rateLimitAddress: number;
  readonly connectionsPerAddress: number;
  readonly maxConcurrentCalls: number;
  readonly maxLagMs: number;
  readonly stopMaxSeconds: number;
  readonly stopDelaySeconds: number;
  readonly services: readonly ServiceName[];
  readonly followChains: boolean;
  readonly readMetadata: boolean;
  readonly deliverWebhooks: boolean;
  readonly adminHost: string;
  readonly adminNames: readonly string[];
  /** Undefined: 4001, or a free port if `port` is 0. */
  readonly adminPort: number | undefined;
  readonly logLevel: LogLevel;
  /** File that records calls; undefined: none. */
  readonly recordTo: string | undefined;
  readonly logAddresses: boolean;
  readonly tracingUrl: string | undefined;
  readonly tracingSamplePercent: number;
}

export type SigningAlgorithm = "HS256" | "ES256" | "EdDSA";

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.[0-9]{1,3}){3}$/.test(host);
}

export function needsDataFolder(config: Config): boolean {
  return config.databaseUrl === undefined || isSandbox(config);
}

/** Whether this host is a sandbox, which has a demo project and shows its keys. */
export function isSandbox({ sandbox, production, host, databaseUrl }: Config): boolean {
  return sandbox ?? (!production && isLoopback(host) && databaseUrl === undefined);
}

/** Whether a host migrates its database when it starts. In production, an operator decides when. */
export function migratesAtStart({ migrate, production }: Pick<Config, "migrate" | "production">): boolean {
  return migrate ?? !production;
}

/** Returns the port after that of the API by default, so that hosts with different ports need no second option. */
export function adminPortOf({ adminPort, port }: Pick<Config, "adminPort" | "port">): number {
  if (adminPort !== undefined || port === 0) return adminPort ?? 0;
  return port === 65_535 ? port - 1 : port + 1;
}

/** Whether the explorer is served: in production only if the operator switches it on. */
export function hasExplorer(config: Config): boolean {
  return config.explorer ?? isSandbox(config);
}
