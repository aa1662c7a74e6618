import { readCommandLine } from "./command-line.ts";
import type { Config } from "./config.ts";
import { readFile } from "./file.ts";
import { envName, flagName, settingEntries } from "./names.ts";
import type { Setting } from "./setting.ts";

export type Flags = Readonly<Record<string, string | boolean | undefined>>;

/**
 * Each setting by itself, as commands beside the host read them: contradictions are the host's matter. What is faulty has its
 * default.
 */
export async function readSettings(
  flags: Flags,
  env: NodeJS.ProcessEnv,
  defaults: Partial<Config> = {},
): Promise<{ readonly config: Config; readonly faults: readonly string[] }> {
  const file = await readFile(flags["config"] ?? env["PLATFORM_CONFIG"]);
  const faults = [...file.faults];
  const config = Object.fromEntries(
    settingEntries().map(([key, setting]) => {
      const [place, given] = firstGiven([
        [`--${flagName(key)}`, trimmed(flags[flagName(key)])],
        [envName(key), emptyIsAbsent(env[envName(key)]?.trim())],
        [`"${key}" of ${file.path}`, trimmed(file.values[key])],
      ]);
      if (given === undefined) return [key, defaults[key] ?? setting.fallback];
      const read = setting.read(given);
      if ("value" in read) return [key, read.value];
      faults.push(`${place}: ${read.expected}${isSaid(read.expected, setting) ? "" : `, found "${given}"`}`);
      return [key, setting.fallback];
    }),
  ) as unknown as Config;
  return { config: Object.freeze(config), faults };
}

/** Whether the fault quotes what it is about already, or must not. */
function isSaid(fault: string, { secret }: Setting<unknown>): boolean {
  return secret === true || fault.includes('"');
}

/** Blanks around a value are a slip of who copied it. */
function trimmed(value: unknown): unknown {
  return typeof value === "string" ? value.trim() : value;
}

/** A variable that is set to nothing is how shells and containers say "not set". */
function emptyIsAbsent(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}

function firstGiven(places: readonly (readonly [string, unknown])[]): readonly [string, unknown] {
  return places.find(([, value]) => value !== undefined) ?? ["", undefined];
}

/** The flags of a command line, not yet read as settings. */
export function readFlags(argv: readonly string[]): {
  readonly flags: Flags;
  readonly faults: readonly string[];
} {
  const kinds = settingEntries()
    .filter(([, { secret }]) => secret !== true)
    .map(([key, { valueName }]) => [flagName(key), valueName === undefined ? "switch" : "text"] as const);
  const { options, words, faults } = readCommandLine(argv, {
    ...Object.fromEntries(kinds),
    config: "text",
    help: "switch",
  });
  return {
    flags: Object.fromEntries(Object.entries(options).map(([name, values]) => [name, values.at(-1)])),
    faults: [...faults, ...words.map((word) => `"${word}" is one word too many: settings are options`)],
  };
}
