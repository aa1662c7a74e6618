import { type Config, isLoopback, isSandbox } from "../base/config/config.ts";
import { readFlags, readSettings, usage } from "../base/config/read.ts";
import { faultOfSigningKey } from "../base/credentials/signing-key.ts";
import { faultsOfFollow } from "../chain/networks/check-follow.ts";
import { readNetworks } from "../chain/networks/settings.ts";

export type ConfigResult =
  | { readonly config: Config }
  | { readonly help: string }
  | { readonly faults: readonly string[] };

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
  return faults.length === 0 ? { config } : { faults };
}

/** Finds combinations that are invalid although each setting is valid. */
function contradictions(config: Config): readonly string[] {
  const { networks, errors } = readNetworks(config);
  const faults = errors.length === 0 ? [...faultsOfFollow(config, networks)] : [...errors];
  const signingKeyFault = faultOfSigningKey(config);
  if (signingKeyFault !== undefined) faults.push(signingKeyFault);
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
