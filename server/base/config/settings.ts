import { suggest } from "../../../generator/language/diagnostics/suggest.ts";
import { faultOfRange } from "./address-range.ts";
import type { Config } from "./config.ts";
import { logLevels } from "./log-level.ts";
import { faultOfOrigin } from "./origin.ts";
import { faultOfPorts } from "./port-range.ts";
import { findService, type ServiceName, serviceNames } from "./service-names.ts";
import { bool, integer, list, oneOf, type Setting, splitList, text, url } from "./setting.ts";

/**
 * Every setting: a flag (`--data-dir`), a variable of the environment (`DATA_DIR`) and a key of the file (`dataDir`) have the
 * same name, spelt as each place spells names.
 */
export const settings: { readonly [Key in keyof Config]: Setting<Config[Key]> } = {
  host: text("ADDRESS", {
    fallback: "127.0.0.1",
    help: "listen on this address; being reachable from outside takes a decision",
  }),
  port: integer({ min: 0, max: 65_535 }, { fallback: 4000, help: "listen on this port; 0 takes a free one" }),
  networks: list("LIST", noFault, {
    fallback: undefined,
    help: "chains to serve, by name or id, as polygon,1,31337; the first is meant where a call names none (default: all that official clients name)",
  }),
  // Addresses of nodes often hold a key.
  rpcUrls: list("LIST", noFault, {
    fallback: [],
    secret: true,
    help: "their nodes, as 137=https://a.example,137=https://b.example,base=https://c.example",
  }),
  networkDetails: {
    fallback: undefined,
    secret: true,
    help: "in the file: by network its name, coin, rpcUrls, currencies, connectors, exchanges, follow and markets; as a variable the same as JSON",
    read: readDetailsText,
  },
  json: bool({ fallback: false, help: "say that it is ready as one line of JSON" }),
  checkResponses: bool({
    fallback: false,
    help: "check every answer against the schema, for development and tests",
  }),
  dataDir: text("FOLDER", {
    fallback: "./.data",
    help: "where the embedded database and the keys of this machine lie",
  }),
  databaseUrl: url(["postgres", "postgresql"], {
    fallback: undefined,
    secret: true,
    help: "a Postgres 15 or newer, as postgres://user:password@host/name; without it the host runs one of its own",
  }),
  // Below Postgres' own default of 100 connections with several replicas; two cores saturate at about ten.
  databaseConnections: integer(
    { min: 2, max: 500 },
    {
      fallback: 10,
      help: "most connections to the database for calls; following chains and delivering has four more",
    },
  ),
  databasePooler: bool({
    fallback: false,
    help: "the database is reached through a pooler in transaction mode, which knows no named statements and no LISTEN",
  }),
  // Before the handler's ten seconds are over, so that the caller learns that it was the database.
  databaseStatementTimeoutMs: integer(
    { min: 100, max: 60_000 },
    { fallback: 8000, help: "longest time of one statement, in milliseconds" },
  ),
  // Ten times what the dearest page of a large collection takes; a read that needs more is one that few can make at once.
  readMaxMs: integer(
    { min: 50, max: 60_000 },
    {
      fallback: 1000,
      help: "longest time of one read of a caller, and of its wait for a connection, in milliseconds; past it the call is Overloaded",
    },
  ),
  redisUrl: url(["redis", "rediss"], {
    fallback: undefined,
    secret: true,
    help: "counts calls for rate limits across replicas",
  }),
  sandbox: bool({
    fallback: undefined,
    help: "make a demo project and tell its keys; only on an address of this machine (default: there, with the embedded database)",
  }),
  production: bool({
    fallback: false,
    help: "refuse everything that is for developers: a sandbox, a local chain, keys that a sandbox has shown",
  }),
  sandboxChain: bool({
    fallback: false,
    help: "also start a local chain with tokens, exchanges and a market, kept in the data folder, and serve it as the first network (31337); npm start does",
  }),
  explorer: bool({
    fallback: undefined,
    help: "serve the page at / on which the contract is read and tried, and /openapi.json (default: in a sandbox, and not else)",
  }),
  // As long as Uniswap's own page gives a swap.
  swapDeadlineSeconds: integer(
    { min: 30, max: 86_400 },
    { fallback: 1_200, help: "how long a swap's quote can be executed, after the latest block" },
  ),
  signingAlgorithm: oneOf(["HS256", "ES256", "EdDSA"], {
    fallback: "HS256",
    help: "how secret keys are signed",
  }),
  signingKey: text("KEY", {
    fallback: undefined,
    secret: true,
    help: "signs secret keys: base64 of 32 bytes or more for HS256, else a private key as PKCS #8 PEM; `openssl rand -base64 32`",
  }),
  secretKeyOrigins: list("LIST", faultOfOrigin, {
    fallback: [],
    help: "web pages that may send secret keys, as https://console.example",
  }),
  trustedProxies: list("LIST", faultOfRange, {
    fallback: [],
    help: "proxies whose X-Forwarded-For says where a call comes from, as 10.0.0.0/8",
  }),
  outboundAllow: list("LIST", faultOfRange, {
    fallback: [],
    help: "addresses that are called though they are not public, as webhooks of receivers inside: 10.0.0.0/8 (a sandbox: those of this machine)",
  }),
  outboundDeny: list("LIST", faultOfRange, {
    fallback: [],
    help: "addresses that are never called, whoever names them; your own public ones belong here",
  }),
  outboundPorts: list("LIST", faultOfPorts, {
    fallback: ["80", "443", "1024-65535"],
    help: "ports that are called at addresses which others name (default: 80,443,1024-65535)",
  }),
  collections: list("LIST", faultOfCollection, {
    fallback: [],
    help: "collections whose tokens, owners and metadata are read off the chain, as polygon=0x…, or with a first block polygon=0x…@1000; their networks must be followed",
  }),
  ipfsGateway: {
    fallback: undefined,
    valueName: "ADDRESS",
    help: "reads ipfs:// links of metadata, as https://gateway.example/ipfs/; without it they are not read",
    read: readGateway,
  },
  // Twice what the public service gives a caller without a plan.
  rateLimitProject: integer(
    { min: 1, max: 1_000_000_000 },
    { fallback: 6000, help: "calls a minute of one project" },
  ),
  rateLimitAddress: integer(
    { min: 1, max: 1_000_000_000 },
    { fallback: 3000, help: "calls a minute from one address" },
  ),
  // A fortieth of all; a browser opens six, and a server's pool rarely more than a hundred.
  connectionsPerAddress: integer(
    { min: 1, max: 10_000 },
    {
      fallback: 256,
      help: "most open connections from one address; from trusted proxies, most requests at once for one address",
    },
  ),
  // 25 for each connection to the database: more would only wait for one.
  maxConcurrentCalls: integer(
    { min: 1, max: 100_000 },
    { fallback: 250, help: "calls that are worked on at once; what comes besides is Overloaded" },
  ),
  // People call 100 ms at once.
  maxLagMs: integer(
    { min: 10, max: 60_000 },
    {
      fallback: 100,
      help: "longest wait of a burst of calls for the processor, in milliseconds; in a lasting overload less than a percent of it; what comes besides is Overloaded",
    },
  ),
  // Above the ten seconds that a handler may take, below the 30 after which orchestrators kill.
  stopMaxSeconds: integer(
    { min: 0, max: 3_600 },
    {
      fallback: 20,
      help: "how long calls under way may take once the host is told to stop; five seconds later the process ends in any case",
    },
  ),
  stopDelaySeconds: integer(
    { min: 0, max: 3_600 },
    {
      fallback: 0,
      help: "how long calls are still taken then, until load balancers see that it is not ready",
    },
  ),
  services: {
    fallback: serviceNames,
    valueName: "LIST",
    help: "services to host, as marketplace,metadata (default: all)",
    read: readServices,
  },
  adminHost: text("ADDRESS", {
    fallback: "127.0.0.1",
    help: "listen here for operators: /healthz, /readyz, /metrics",
  }),
  adminNames: list("LIST", faultOfName, {
    fallback: [],
    help: "names with dots under which /metrics is asked for there, as metrics.example; addresses and names without a dot need none",
  }),
  adminPort: integer(
    { min: 0, max: 65_535 },
    { fallback: undefined, help: "and on this port (default: 4001, or a free one if the host's is)" },
  ),
  logLevel: oneOf(logLevels, {
    fallback: "info",
    help: "what is logged, as lines of JSON on standard error; info has a line for each call",
  }),
  recordTo: text("FILE", {
    fallback: undefined,
    help: "add each call to this file, as a line of JSON without secrets and personal data, up to 64 MiB; for ridlkit test --recording",
  }),
  tracingUrl: url(["http", "https"], {
    fallback: undefined,
    help: "send OpenTelemetry traces here, as http://127.0.0.1:4318/v1/traces; needs its packages",
  }),
  tracingSamplePercent: integer(
    { min: 0, max: 100 },
    { fallback: 100, help: "of calls that are traced where the caller does not decide" },
  ),
};

function readServices(
  given: unknown,
): { readonly value: readonly ServiceName[] } | { readonly expected: string } {
  const names = splitList(given);
  if (names === undefined || names.length === 0)
    return { expected: `expected some of ${serviceNames.join(", ")}` };
  const unknown = names.filter((name) => findService(name) === undefined);
  if (unknown.length === 0) return { value: [...new Set(names.flatMap((name) => findService(name) ?? []))] };
  const faults = unknown.map((name) => {
    const near = suggest(name, serviceNames);
    return `there is no service "${name}"; ${near === undefined ? `there are ${serviceNames.join(", ")}` : `did you mean "${near}"?`}`;
  });
  return { expected: faults.join("; ") };
}

function faultOfName(given: string): string | undefined {
  return /^[a-z0-9-]+([.][a-z0-9-]+)*$/.test(given)
    ? undefined
    : `expected a name in lower case without a port, found "${given.slice(0, 80)}"`;
}

function faultOfCollection(given: string): string | undefined {
  return /^[^=\s]+=0x[0-9a-fA-F]{40}(@[0-9]{1,15})?$/.test(given)
    ? undefined
    : `expected network=0x… or network=0x…@block, found "${given.slice(0, 80)}"`;
}

function readGateway(given: unknown): { readonly value: string } | { readonly expected: string } {
  const isAddress = typeof given === "string" && /^https?:[/][/][^\s?#]+$/.test(given) && URL.canParse(given);
  if (!isAddress) return { expected: "expected an address as https://gateway.example/ipfs/" };
  return { value: given.endsWith("/") ? given : `${given}/` };
}

/** Checked where all that is said of networks comes together. */
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
