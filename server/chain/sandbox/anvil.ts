import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";

export interface Anvil extends AsyncDisposable {
  readonly rpcUrl: string;
}

/** Returns the path of the Anvil binary in its optional package for this machine, or undefined if the package is not installed. */
export function anvilPath(): string | undefined {
  const platform = ({ darwin: "darwin", linux: "linux", win32: "win32" } as Record<string, string>)[
    process.platform
  ];
  const machine = ({ x64: "amd64", arm64: "arm64" } as Record<string, string>)[process.arch];
  const file = process.platform === "win32" ? "anvil.exe" : "anvil";
  try {
    return createRequire(import.meta.url).resolve(`@foundry-rs/anvil-${platform}-${machine}/bin/${file}`);
  } catch {
    return undefined;
  }
}

export interface AnvilOptions {
  /**
   * `prague` supports accounts that delegate to a contract (EIP-7702), but its time per block grows with the length of the
   * chain. Default: `cancun`.
   */
  readonly hardfork?: "cancun" | "prague";
  /** A file with the initial state. Default: an empty chain. */
  readonly state?: string | undefined;
}

/** Starts a local chain on a free loopback port. It mines a block for each transaction. */
export async function startAnvil(
  program: string,
  chainId: number,
  { hardfork = "cancun", state }: AnvilOptions = {},
): Promise<Anvil> {
  const child = spawnLinked(program, [
    ...flags,
    "--chain-id",
    String(chainId),
    "--hardfork",
    hardfork,
    ...(state === undefined ? [] : ["--load-state", state]),
  ]);
  const kill = (): void => killGroup(child);
  process.once("exit", kill);
  const rpcUrl = await waitForUrl(child);
  return {
    rpcUrl,
    async [Symbol.asyncDispose]() {
      process.removeListener("exit", kill);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      // The chain has no state that needs a graceful shutdown.
      kill();
      await exited;
    },
  };
}

/**
 * Starts a child that ends with this process, however this process ends: a shell in between kills its process group when its
 * standard input closes.
 */
function spawnLinked(program: string, args: readonly string[]): ChildProcess {
  const stdio = ["pipe", "pipe", "pipe"] as const;
  if (process.platform === "win32") return spawn(program, args, { stdio: [...stdio] });
  const script = '{ "$0" "$@"; kill -9 $$; } & read -r _; kill -9 0';
  return spawn("/bin/sh", ["-c", script, program, ...args], { stdio: [...stdio], detached: true });
}

function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
}

const flags = [
  "--host",
  "127.0.0.1",
  "--port",
  "0",
  // Pages must not read its responses directly; pages and wallets use the proxy.
  "--no-cors",
  // Deep enough for reorganizations. Without this flag, memory grows with every block.
  "--prune-history",
  "64",
  // All contracts are deployed in one block, with 71 million. Bounds the time that a transaction takes.
  "--gas-limit",
  "100000000",
];

async function waitForUrl(child: ChildProcess): Promise<string> {
  let out = "";
  let err = "";
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    err = (err + chunk).slice(-1_000);
  });
  return new Promise((done, fail) => {
    child.once("error", fail);
    child.once("exit", (code) =>
      fail(new Error(`the local chain stopped while starting (exit code ${code}): ${err}`)),
    );
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      // Keep reading: a full pipe would block the chain.
      if (out.length > 20_000) return;
      out += chunk;
      const [, address] = /Listening on (\S+)/.exec(out) ?? [];
      if (address !== undefined) done(`http://${address}`);
    });
  });
}
