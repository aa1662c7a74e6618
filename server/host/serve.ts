import type { Config } from "../base/config/config.ts";
import { StartFault } from "../base/start-fault.ts";
import { faultOfDataFolder } from "./data-folder.ts";
import { type HostHooks, serve } from "./host.ts";
import { readConfig } from "./read-config.ts";
import { readyJson, readyText } from "./ready.ts";

/** Set when the program is bundled. */
declare const RIDLKIT_VERSION: string;

/** Runs the host as it is configured. */
export async function serveUntilStopped(argv: readonly string[]): Promise<void> {
  const result = await readConfig(argv, process.env);
  if ("help" in result) process.stdout.write(result.help);
  else if ("faults" in result) printFaults(result.faults);
  else {
    const { config } = result;
    await runHost(config, (run) =>
      run({ onReady: (ready) => process.stdout.write(config.json ? readyJson(ready) : readyText(ready)) }),
    );
  }
}

export function printFaults(faults: readonly string[]): void {
  process.stderr.write(
    `${faults.map((fault) => `platform: ${fault}`).join("\n")}\nplatform: --help lists all settings\n`,
  );
  process.exitCode = 2;
}

/** Runs a host and what stands around it to their end and sets the exit code: 0 stopped, 1 stopped before all was closed, 2 could not start. */
export async function runHost(
  config: Config,
  work: (run: (around: Pick<HostHooks, "onReady" | "fill">) => Promise<void>) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  // The terminal was closed. Several tell so, which is no impatience.
  process.on("SIGHUP", () => stop.abort());
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      // Asked twice, it does not wait for anybody.
      if (stop.signal.aborted) process.exit(1);
      stop.abort();
    });
  }
  try {
    await work((around) =>
      serve(config, {
        ...around,
        appVersion: RIDLKIT_VERSION,
        stop: stop.signal,
      }),
    );
  } catch (err) {
    for (const cause of causesOf(err)) {
      // Told to stop while it started.
      if (cause === stop.signal.reason) continue;
      const fault = cause instanceof StartFault ? cause : faultOfDataFolder(cause, config.dataDir);
      if (fault === undefined) throw err;
      process.stderr.write(`platform: ${fault.message}\n`);
      process.exitCode = 2;
    }
  }
}

/** What went wrong, and after it what that kept from being closed: on a full disk both. Node 20 has no class for the pair. */
function causesOf(err: unknown): readonly unknown[] {
  if (!(err instanceof Error) || err.name !== "SuppressedError") return [err];
  const { suppressed, error } = err as SuppressedError;
  return [...causesOf(suppressed), ...causesOf(error)];
}
