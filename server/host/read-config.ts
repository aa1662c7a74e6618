import { type Config, isLoopback, isSandbox } from "../base/config/config.ts";
import { readFlags, readSettings } from "../base/config/read.ts";
import { usage } from "../base/config/usage.ts";
import { faultOfSigningKey } from "../base/credentials/signing-key.ts";
import { readNetworks } from "../chain/networks/settings.ts";

export type ConfigResult =
  | { readonly config: Config }
  | { readonly help: string }
  | { readonly faults: readonly string[] };

/**
 * Flags over environment over file over defaults. All faults are told at once, and any keeps the host from starting.
 *
 * @param defaults In place of those of the settings.
 */
export async function readConfig(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  defaults: Partial<Config> = {},
): Promise<ConfigResult> {
  const { flags, faults: ofFlags } = readFlags(argv);
  if (flags["help"] === true && ofFlags.length === 0) return { help: usage() };
  const { config, faults: ofEach } = await readSettings(flags, env, defaults);
  const faults = [...ofFlags, ...ofEach, ...contradictions(config)];
  return faults.length === 0 ? { config } : { faults };
}

/** What each setting allows and all together do not. */
function contradictions(config: Config): readonly string[] {
  const faults = [...readNetworks(config).faults];
  const ofKey = faultOfSigningKey(config);
  if (ofKey !== undefined) faults.push(ofKey);
  if (config.sandbox === true && !isLoopback(config.host))
    faults.push(
      `--sandbox: its keys are open to whoever reaches it, so it cannot listen on ${config.host}; use 127.0.0.1`,
    );
  if (config.production && config.sandbox === true)
    faults.push("--production: there is no sandbox in production; leave --sandbox out");
  if (config.production && config.sandboxChain)
    faults.push("--production: there is no local chain in production; leave --sandbox-chain out");
  if (config.databaseUrl !== undefined && config.signingKey === undefined && !isSandbox(config))
    faults.push(
      "SIGNING_KEY: with DATABASE_URL it must be given, the same to all replicas; make one with: openssl rand -base64 32",
    );
  return faults;
}
