import { type Config, isLoopback, isSandbox } from "../base/config/config.ts";
import { readFlags, readSettings, usage } from "../base/config/read.ts";
import { faultsOfSigningKeys } from "../base/credentials/signing-key.ts";
import { readDetails } from "../chain/networks/details.ts";
import { knownChains, localChain } from "../chain/networks/known-chains.ts";
import type { Network } from "../chain/networks/network.ts";
import { Networks } from "../chain/networks/networks.ts";
import { type NetworkSources, readNetworks } from "../chain/networks/settings.ts";

type ConfigResult = { readonly config: Config } | { readonly help: string } | SettingFaults;

export interface SettingFaults {
  readonly faults: readonly string[];
  readonly isProduction: boolean;
}

/**
 * Reads the configuration. Flags override the environment, which overrides the file, which overrides the defaults. Reports all
 * errors at the same time; any error keeps the host from starting.
 *
 * @param defaults Override the defaults of the settings.
 */
export async function readConfig(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  defaults: Partial<Config> = {},
): Promise<ConfigResult> {
  const { flags, faults: flagFaults } = readFlags(argv);
  if (flags["help"] === true && flagFaults.length === 0) return { help: usage() };
  const { config, faults: settingFaults } = await readSettings(flags, env, defaults);
  const faults = [...flagFaults, ...settingFaults, ...contradictions(config)];
  return faults.length === 0 ? { config } : { faults, isProduction: config.production };
}

/** Finds combinations that are invalid although each setting is valid. */
function contradictions(config: Config): readonly string[] {
  const { networks, errors } = readNetworks(config);
  const faults = errors.length === 0 ? [...faultsOfFollow(config, networks)] : [...errors];
  faults.push(...faultsOfSigningKeys(config));
  if (config.sandbox === true && !isLoopback(config.host))
    faults.push(
      `--sandbox: a sandbox shows its keys to everyone who can reach it, so it must not listen on ${config.host}; use 127.0.0.1`,
    );
  if (config.production && config.sandbox === true)
    faults.push("--production and --sandbox exclude each other; remove one of them");
  if (config.production && config.sandboxChain)
    faults.push("--production and --sandbox-chain exclude each other; remove one of them");
  faults.push(...missingInProduction(config));
  return faults;
}

/** An embedded database and a key of its own are for development: a new data folder starts without any records. */
function missingInProduction(config: Config): readonly string[] {
  if (isSandbox(config)) return [];
  const faults: string[] = [];
  if (config.production && config.databaseUrl === undefined)
    faults.push(
      "DATABASE_URL: required with --production; set the URL of a Postgres 15 or newer, e.g. postgres://user:password@host/name",
    );
  if (config.signingKey === undefined && (config.production || config.databaseUrl !== undefined))
    faults.push(
      `SIGNING_KEY: required with ${config.production ? "--production" : "DATABASE_URL"}, and the same on all replicas; create one with: openssl rand -base64 32`,
    );
  return faults;
}

/* Finds networks that the operator means to follow, but that a host would not follow. */

interface FollowSources extends NetworkSources {
  /** Entries such as `polygon=0x…`, whose tokens are read from the chain. */
  readonly collections: readonly string[];
  /** Whether the host starts and follows the local chain, whatever is configured for it. */
  readonly sandboxChain: boolean;
}

/** Expects valid networks: their errors are those of `readNetworks`. */
function faultsOfFollow(sources: FollowSources, served: readonly Network[]): readonly string[] {
  const networks = new Networks(served);
  const isLocal = (chainId: number): boolean => sources.sandboxChain && chainId === localChain.chainId;
  const faults = [...readDetails(sources.networkDetails, [])].flatMap(
    ([chainId, { name, follow, markets = [] }]) => {
      const network = networks.find(chainId);
      if (isLocal(chainId) || (follow === undefined && markets.length === 0)) return [];
      if (network === undefined)
        return `networkDetails.${name ?? knownChains().get(chainId)?.names[0] ?? chainId}: the network is not served, so it is not followed; add it to networks, or remove follow and markets`;
      return faultOf(network) ?? [];
    },
  );
  const unfollowed = sources.collections
    .map((entry) => networks.find(entry.split("=")[0] ?? ""))
    .filter((network) => network !== undefined)
    .filter(({ chainId, follow }) => follow === undefined && !isLocal(chainId));
  return [
    ...faults,
    ...new Set(
      unfollowed.map(
        ({ name }) =>
          `collections: ${name} is not followed, so its tokens are not read; set networkDetails.${name}.follow`,
      ),
    ),
  ];
}

function faultOf({ name, nodes, follow }: Network): string | undefined {
  if (follow === undefined)
    return `networkDetails.${name}.markets: orders are read only from a followed network; set networkDetails.${name}.follow, or remove markets`;
  return nodes.length > 0
    ? undefined
    : `networkDetails.${name}.follow: the network has no nodes; set RPC_URLS=${name}=https://…, or networkDetails.${name}.rpcUrls`;
}
