import { readConfig } from "./config/read.ts";
import { faultOfDataFolder } from "./data-folder.ts";
import { serve } from "./host.ts";
import { readyJson, readyText } from "./ready.ts";
import { StartFault } from "./start-fault.ts";

/** Set when the program is bundled. */
declare const RIDLKIT_VERSION: string;

/** Runs the host to its end and sets the exit code: 0 stopped, 1 stopped before all was closed, 2 could not start. */
export async function serveUntilStopped(argv: readonly string[]): Promise<void> {
  const result = await readConfig(argv, process.env);
  if ("help" in result) process.stdout.write(result.help);
  else if ("faults" in result) {
    process.stderr.write(
      `${result.faults.map((fault) => `platform: ${fault}`).join("\n")}\nplatform: --help lists all settings\n`,
    );
    process.exitCode = 2;
  } else {
    const { config } = result;
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
      await serve(config, {
        appVersion: RIDLKIT_VERSION,
        onReady: (ready) => process.stdout.write(config.json ? readyJson(ready) : readyText(ready)),
        stop: stop.signal,
      });
    } catch (err) {
      // Told to stop while it started.
      if (err === stop.signal.reason) return;
      const fault = err instanceof StartFault ? err : faultOfDataFolder(err, config.dataDir);
      if (fault === undefined) throw err;
      process.stderr.write(`platform: ${fault.message}\n`);
      process.exitCode = 2;
    }
  }
}
