import { isIP, isIPv6 } from "node:net";
import { suggest } from "../../../generator/language/diagnostics/suggest.ts";
import { type Config, findService, logLevels, type ServiceName, serviceNames } from "./config.ts";
import {
  bool,
  faultOfOrigin,
  faultOfPorts,
  integer,
  list,
  oneOf,
  type Setting,
  splitList,
  text,
  url,
} from "./setting.ts";

/** All settings. Each is a flag (`--data-dir`), an environment variable (`DATA_DIR`) and a key of the file (`dataDir`). */
export const settings: { readonly [Key in keyof Config]: Setting<Config[Key]> } = {
  host: text("ADDRESS", {
    fallback: "127.0.0.1",
    help: "address to listen on; the default accepts only connections from this machine",
  }),
  port: integer(
    { min: 0, max: 65_535 },
    { fallback: 4000, help: "port to listen on; 0 selects a free port" },
  ),
  networks: list("LIST", noFault, {
    fallback: undefined,
    help: "networks to serve, by name or chain id, e.g. polygon,1,31337; calls without a network use the first (default: all networks that Sequence's clients know)",
  }),
  // Secret, because URLs of nodes often contain a key.
  rpcUrls: list("LIST", noFault, {
    fallback: [],
    secret: true,
    help: "nodes of the networks, e.g. 137=https://a.example,137=https://b.example,base=https://c.example",
  }),
  networkDetails: {
    fallback: undefined,
    secret: true,
    help: "details by network: name, coin, rpcUrls, currencies, connectors, exchanges, follow and markets; JSON if set as a variable",
    read: readDetailsText,
  },
  json: bool({ fallback: false, help: "print the ready message as one line of JSON" }),
  checkResponses: bool({
    fallback: false,
    help: "check every response against the schema, for development and tests",
  }),
  dataDir: text("FOLDER", {
    fallback: "./.data",
    help: "folder of the embedded database and of this machine's keys",
  }),
  databaseUrl: url(["postgres", "postgresql"], {
    fallback: undefined,
    secret: true,
    help: "URL of a Postgres 15 or newer, e.g. postgres://user:password@host/name; without it the host runs an embedded Postgres",
  }),
  // Below Postgres' default of 100 connections, with several replicas. Two cores saturate at about ten.
  databaseConnections: integer(
    { min: 2, max: 500 },
    {
      fallback: 10,
      help: "maximum number of database connections for calls; background work opens further ones",
    },
  ),
  databasePooler: bool({
    fallback: false,
    help: "the database is behind a pooler in transaction mode, so the host uses neither named statements nor LISTEN",
  }),
  // Below the handler's ten seconds, so that the caller learns that the database was slow.
  databaseStatementTimeoutMs: integer(
    { min: 100, max: 60_000 },
    { fallback: 8000, help: "timeout of a statement, in milliseconds" },
  ),
  // Ten times what the most expensive page of a large collection takes. Slower reads would occupy all connections.
  readMaxMs: integer(
    { min: 50, max: 60_000 },
    {
      fallback: 1000,
      help: "timeout of all reads of a call, and of its wait for a connection, in milliseconds; after it the call gets Overloaded",
    },
  ),
  redisUrl: url(["redis", "rediss"], {
    fallback: undefined,
    secret: true,
    help: "URL of a Redis that counts calls for the rate limits of all replicas",
  }),
  sandbox: bool({
    fallback: undefined,
    help: "create a demo project and show its keys; requires a loopback address (default: on for a loopback address with the embedded database)",
  }),
  production: bool({
    fallback: false,
    help: "require DATABASE_URL and SIGNING_KEY, and reject everything meant for development: a sandbox, a local chain, keys that a sandbox has shown",
  }),
  migrate: bool({
    fallback: undefined,
    help: "migrate the database when the host starts (default: on, and off with --production, where platform migrate does it)",
  }),
  sandboxChain: bool({
    fallback: false,
    help: "start a local chain with tokens, exchanges and a market, stored in the data folder, and serve it as the first network (31337); npm start does this",
  }),
  explorer: bool({
    fallback: undefined,
    help: "serve the explorer at /, and /openapi.json (default: on in a sandbox, else off)",
  }),
  // The deadline of swaps on Uniswap's own page.
  swapDeadlineSeconds: integer(
    { min: 30, max: 86_400 },
    {
      fallback: 1_200,
      help: "how long a swap quote can be executed, in seconds from the time of the latest block",
    },
  ),
  // At 90 % the whole costs ten times what it costs at the current rate: never what a caller means.
  swapMaxPriceImpactPercent: integer(
    { min: 1, max: 100 },
    {
      fallback: 90,
      help: "largest price impact of a swap, in percent: how far the swap itself worsens its rate; 100 allows any",
    },
  ),
  signingAlgorithm: oneOf(["HS256", "ES256", "EdDSA"], {
    fallback: "HS256",
    help: "signature algorithm of secret keys",
  }),
  signingKey: text("KEY", {
    fallback: undefined,
    secret: true,
    help: "key that signs secret keys: base64 of at least 32 bytes for HS256 (`openssl rand -base64 32`), else a private key as PKCS #8 PEM",
  }),
  signingKeyFallbacks: list("KEYS", () => undefined, {
    fallback: [],
    secret: true,
    help: "further signing keys, during a rotation: what they have signed or encrypted is still accepted",
  }),
  secretKeyOrigins: list("LIST", faultOfOrigin, {
    fallback: [],
    help: "origins of web pages that may send secret keys, e.g. https://console.example",
  }),
  trustedProxies: list("LIST", faultOfRange, {
    fallback: [],
    help: "address ranges of proxies whose X-Forwarded-For is trusted, e.g. 10.0.0.0/8",
  }),
  outboundAllow: list("LIST", faultOfRange, {
    fallback: [],
    help: "private address ranges that may be called, e.g. 10.0.0.0/8 for internal webhook receivers (a sandbox also allows loopback)",
  }),
  outboundDeny: list("LIST", faultOfRange, {
    fallback: [],
    help: "address ranges that are never called; include your own public addresses",
  }),
  outboundPorts: list("LIST", faultOfPorts, {
    fallback: ["80", "443", "1024-65535"],
    help: "ports that may be called at URLs from callers and tokens (default: 80,443,1024-65535)",
  }),
  collections: list("LIST", faultOfCollection, {
    fallback: [],
    help: "collections whose tokens, owners and metadata are read from the chain, e.g. polygon=0x…; polygon=0x…@1000 also reads the history from block 1000 on; their networks must be followed",
  }),
  ipfsGateway: {
    fallback: undefined,
    valueName: "ADDRESS",
    help: "gateway for ipfs:// links in metadata, e.g. https://gateway.example/ipfs/; without it these links are not read",
    read: readGateway,
  },
  arweaveGateway: {
    fallback: undefined,
    valueName: "ADDRESS",
    help: "gateway for ar:// links in metadata, e.g. https://arweave.example/; without it these links are not read",
    read: readGateway,
  },
  // Twice the limit of the public service for callers without a plan.
  rateLimitProject: integer(
    { min: 1, max: 1_000_000_000 },
    { fallback: 6000, help: "calls per minute of a project" },
  ),
  rateLimitAddress: integer(
    { min: 1, max: 1_000_000_000 },
    { fallback: 3000, help: "calls per minute of an address" },
  ),
  // A fortieth of all connections. A browser opens six, and a server's pool rarely more than a hundred.
  connectionsPerAddress: integer(
    { min: 1, max: 10_000 },
    {
      fallback: 256,
      help: "maximum number of open connections of an address; behind trusted proxies, of its concurrent requests",
    },
  ),
  // 25 for each database connection: further calls would only wait.
  maxConcurrentCalls: integer(
    { min: 1, max: 100_000 },
    { fallback: 250, help: "maximum number of concurrent calls; further calls get Overloaded" },
  ),
  // People perceive 100 ms as immediate.
  maxLagMs: integer(
    { min: 10, max: 60_000 },
    {
      fallback: 100,
      help: "maximum wait of a call for the processor during a burst, in milliseconds; if the overload lasts, the maximum is less than a hundredth of this value; further calls get Overloaded",
    },
  ),
  // Above the ten seconds of a handler, and below the 30 seconds after which orchestrators kill the process.
  stopMaxSeconds: integer(
    { min: 0, max: 3_600 },
    {
      fallback: 20,
      help: "seconds for calls in flight to finish when the host stops; the process exits at most five seconds later",
    },
  ),
  stopDelaySeconds: integer(
    { min: 0, max: 3_600 },
    {
      fallback: 0,
      help: "seconds for which a stopping host still accepts calls while /readyz fails, so that load balancers notice",
    },
  ),
  followChains: bool({
    fallback: true,
    help: "follow the chains with the setting follow; false for a replica that only serves calls, and for a restored copy",
  }),
  readMetadata: bool({
    fallback: true,
    help: "read the metadata of tokens from nodes and from URLs; false on all replicas during a large import",
  }),
  deliverWebhooks: bool({
    fallback: true,
    help: "send webhooks; false for a replica that only serves calls, and for a restored copy",
  }),
  services: {
    fallback: serviceNames,
    valueName: "LIST",
    help: "services to host, e.g. marketplace,metadata (default: all)",
    read: readServices,
  },
  adminHost: text("ADDRESS", {
    fallback: "127.0.0.1",
    help: "address of the admin server: /healthz, /readyz, /metrics",
  }),
  adminNames: list("LIST", faultOfName, {
    fallback: [],
    help: "host names with dots under which /metrics may be requested, e.g. metrics.example; addresses and names without a dot are always allowed",
  }),
  adminPort: integer(
    { min: 0, max: 65_535 },
    {
      fallback: undefined,
      help: "port of the admin server (default: the port after --port, or a free port if that is 0)",
    },
  ),
  logLevel: oneOf(logLevels, {
    fallback: "info",
    help: "lowest level that is logged, as JSON lines on standard error; info logs each call",
  }),
  logAddresses: bool({
    fallback: false,
    help: "log the network address of each call's caller, which is personal data",
  }),
  recordTo: text("FILE", {
    fallback: undefined,
    help: "append each call to this file, as a JSON line without secrets and personal data, up to 64 MiB; for ridlkit test --recording",
  }),
  tracingUrl: url(["http", "https"], {
    fallback: undefined,
    help: "URL for OpenTelemetry traces, e.g. http://127.0.0.1:4318/v1/traces",
  }),
  tracingSamplePercent: integer(
    { min: 0, max: 100 },
    {
      fallback: 100,
      help: "percentage of calls that are traced; a caller's traceparent header overrides it",
    },
  ),
};

function readServices(
  given: unknown,
): { readonly value: readonly ServiceName[] } | { readonly expected: string } {
  const names = splitList(given);
  if (names === undefined || names.length === 0)
    return { expected: `expected one or more of ${serviceNames.join(", ")}` };
  const unknown = names.filter((name) => findService(name) === undefined);
  if (unknown.length === 0) return { value: [...new Set(names.flatMap((name) => findService(name) ?? []))] };
  const faults = unknown.map((name) => {
    const near = suggest(name, serviceNames);
    return `unknown service "${name}"; ${near === undefined ? `expected one of ${serviceNames.join(", ")}` : `did you mean "${near}"?`}`;
  });
  return { expected: faults.join("; ") };
}

function faultOfName(given: string): string | undefined {
  return /^[a-z0-9-]+([.][a-z0-9-]+)*$/.test(given)
    ? undefined
    : `expected a host name in lower case without a port, found "${given.slice(0, 80)}"`;
}

function faultOfCollection(given: string): string | undefined {
  return /^[^=\s]+=0x[0-9a-fA-F]{40}(@[0-9]{1,15})?$/.test(given)
    ? undefined
    : `expected network=0x… or network=0x…@block, found "${given.slice(0, 80)}"`;
}

function readGateway(given: unknown): { readonly value: string } | { readonly expected: string } {
  const isAddress = typeof given === "string" && /^https?:[/][/][^\s?#]+$/.test(given) && URL.canParse(given);
  if (!isAddress) return { expected: "expected a URL such as https://gateway.example/ipfs/" };
  return { value: given.endsWith("/") ? given : `${given}/` };
}

/** `readNetworks` checks all settings of networks together. */
function noFault(): undefined {
  return undefined;
}

function readDetailsText(given: unknown): { readonly value: unknown } | { readonly expected: string } {
  if (typeof given !== "string") return { value: given };
  try {
    return { value: JSON.parse(given) };
  } catch {
    return { expected: "expected JSON" };
  }
}

/** Returns what is wrong with an address range, if anything. Valid: `10.0.0.0/8`, `::1`. */
export function faultOfRange(range: string): string | undefined {
  const [address = "", bits, ...rest] = range.split("/");
  const max = isIPv6(address) ? 128 : 32;
  const isValid =
    isIP(address) !== 0 &&
    rest.length === 0 &&
    (bits === undefined || (/^[0-9]{1,3}$/.test(bits) && Number(bits) <= max));
  return isValid ? undefined : `"${range}" is not an address range such as 10.0.0.0/8`;
}
