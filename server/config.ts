import { parseArgs } from "node:util";
import { knownNetworks, type Network, readNetworks } from "./networks/networks.ts";

/** All that a host can be told, read once at start. */
export interface Config {
  /** Address to listen on. Default 127.0.0.1: being reachable from outside takes a decision. */
  readonly host: string;
  /** 0 takes a free one. Default 4000. */
  readonly port: number;
  readonly networks: readonly Network[];
  /** Whether the ready line is JSON. */
  readonly json: boolean;
  readonly checkResponses: boolean;
  readonly appVersion: string;
  readonly log: (line: string) => void;
}

export type ConfigResult =
  | { readonly config: Config }
  | { readonly help: string }
  | { readonly faults: readonly string[] };

export const usage = `Usage: npm start -- [--port N] [--host ADDRESS] [--networks LIST] [--json]

  --port N         listen on this port; 0 takes a free one (PORT, default 4000)
  --host ADDRESS   listen on this address (HOST, default 127.0.0.1)
  --networks LIST  chains to serve, by name or id, as polygon,1,31337 (NETWORKS, default: all known ones)
  --json           say that it is ready as one line of JSON with the key "url"
`;

/** Flags over environment over defaults. All faults are told at once, and any keeps the host from starting. */
export function readConfig(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  appVersion: string,
): ConfigResult {
  const args = readFlags(argv);
  if ("faults" in args) return args;
  const { values } = args;
  if (values.help === true) return { help: usage };
  const faults: string[] = [];
  const port = values.port ?? env["PORT"] ?? "4000";
  if (!/^[0-9]{1,5}$/.test(port) || Number(port) > 65_535)
    faults.push(`port: expected 0 to 65535, found "${port}"`);
  const list = values.networks ?? env["NETWORKS"];
  const { networks, unknown } =
    list === undefined ? { networks: knownNetworks, unknown: [] } : readNetworks(list);
  for (const name of unknown) faults.push(`networks: there is no network "${name}"; give its chain id`);
  if (networks.length === 0) faults.push("networks: at least one is needed");
  if (faults.length > 0) return { faults };
  return {
    config: {
      host: values.host ?? env["HOST"] ?? "127.0.0.1",
      port: Number(port),
      networks,
      json: values.json === true,
      checkResponses: env["CHECK_RESPONSES"] === "true",
      appVersion,
      log: (line) => void process.stderr.write(`${line}\n`),
    },
  };
}

interface Flags {
  readonly port?: string;
  readonly host?: string;
  readonly networks?: string;
  readonly json?: boolean;
  readonly help?: boolean;
}

function readFlags(
  argv: readonly string[],
): { readonly values: Flags } | { readonly faults: readonly string[] } {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  try {
    const options = { port: text, host: text, networks: text, json: flag, help: flag };
    return { values: parseArgs({ args: [...argv], options, allowPositionals: false }).values };
  } catch (err) {
    // parseArgs says what is wrong in its message.
    return { faults: [err instanceof Error ? err.message : String(err)] };
  }
}
