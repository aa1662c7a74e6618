import { visibleLines } from "../../generator/language/diagnostics/visible.ts";
import type { Config } from "../base/config/config.ts";
import { StartFault } from "../base/start-fault.ts";
import { DatabaseFault, databaseErrorText, sqlStateOf, toDatabaseFault } from "../base/storage/fault.ts";
import { hideUrlSecrets } from "../base/url-secrets.ts";
import { faultOfDataFolder } from "./data-folder.ts";
import { type HostHooks, serve } from "./host.ts";
import { fatalLine } from "./observability/log.ts";
import { readConfig, type SettingFaults } from "./read-config.ts";
import { readyJson, readyText } from "./ready.ts";

declare const RIDLKIT_VERSION: string;

export async function serveUntilStopped(argv: readonly string[]): Promise<void> {
  if (argv.includes("--version")) return void process.stdout.write(`${RIDLKIT_VERSION}\n`);
  const result = await readConfig(argv, process.env);
  if ("help" in result) process.stdout.write(result.help);
  else if ("faults" in result) printFaults(result);
  else {
    const { config } = result;
    await runHost(config, (run) =>
      run({ onReady: (ready) => process.stdout.write(config.json ? readyJson(ready) : readyText(ready)) }),
    );
  }
}

export function printFaults({ faults, isProduction }: SettingFaults): void {
  process.stderr.write(
    isProduction
      ? fatalLine({ faults }, "the settings are invalid; see all settings with --help")
      : `${faults.map(textLine).join("")}${textLine("see all settings with --help")}`,
  );
  process.exitCode = 2;
}

function textLine(text: string): string {
  return `platform: ${visibleLines(text)}\n`;
}

/**
 * Runs a host and the work around it, prints start errors, and sets the exit code: 0 stopped, 1 stopped before everything was
 * closed, 2 could not start.
 */
export async function runHost(
  config: Config,
  work: (run: (hooks: Pick<HostHooks, "onReady" | "addSampleData">) => Promise<void>) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  // The terminal was closed. Several processes may send this signal, so a second one does not force the exit.
  process.on("SIGHUP", () => stop.abort());
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      // A second Ctrl-C exits immediately.
      if (stop.signal.aborted) process.exit(1);
      stop.abort();
    });
  }
  try {
    await work((hooks) =>
      serve(config, {
        ...hooks,
        appVersion: RIDLKIT_VERSION,
        stop: stop.signal,
      }),
    );
  } catch (err) {
    for (const cause of causesOf(err)) {
      // The host was stopped while it started.
      if (cause === stop.signal.reason) continue;
      const fault = cause instanceof StartFault ? cause : faultOfDataFolder(cause, config.dataDir);
      const text = fault?.message ?? textOfDatabaseFault(cause);
      if (text === undefined && config.production) endByBug(cause);
      if (text === undefined) throw err;
      process.stderr.write(config.production ? fatalLine({}, text) : textLine(text));
      process.exitCode = 2;
    }
  }
}

/** Ends the process as an uncaught error would, but with a line of the log. */
function endByBug(cause: unknown): never {
  const stack = hideUrlSecrets(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
  process.stderr.write(fatalLine({ stack }, "internal error"));
  process.exit(1);
}

/** Undefined for a bug, such as an invalid statement. The state 42501 is a missing permission. */
function textOfDatabaseFault(cause: unknown): string | undefined {
  const state = sqlStateOf(cause);
  const isFault =
    state === undefined ? cause instanceof DatabaseFault : toDatabaseFault(cause) instanceof DatabaseFault;
  return isFault || state === "42501" ? databaseErrorText(cause) : undefined;
}

/**
 * An error, and the error that closing threw because of the first one. On a full disk both happen. Node 20 has no
 * `SuppressedError` class.
 */
function causesOf(err: unknown): readonly unknown[] {
  if (!(err instanceof Error) || err.name !== "SuppressedError") return [err];
  const { suppressed, error } = err as SuppressedError;
  return [...causesOf(suppressed), ...causesOf(error)];
}
