import { type OptionKind, readCommandLine } from "./command-line.ts";
import type { Config } from "./config.ts";
import { readFile } from "./file.ts";
import { envName, flagName, settingEntries } from "./names.ts";
import type { Setting } from "./setting.ts";

export type Flags = Readonly<Record<string, string | boolean | undefined>>;

/**
 * Reads and checks each setting, but not combinations of settings, which only a host checks. Invalid settings get their default.
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
      const [source, given] = firstGiven([
        [`--${flagName(key)}`, trimmed(flags[flagName(key)])],
        [envName(key), emptyIsAbsent(env[envName(key)]?.trim())],
        [`"${key}" of ${file.path}`, trimmed(file.values[key])],
      ]);
      if (given === undefined) return [key, defaults[key] ?? setting.fallback];
      const read = setting.read(given);
      if ("value" in read) return [key, read.value];
      faults.push(
        `${source}: ${read.expected}${omitsValue(read.expected, setting) ? "" : `, found "${given}"`}`,
      );
      return [key, setting.fallback];
    }),
  ) as unknown as Config;
  return { config: Object.freeze(config), faults };
}

/** The value is not appended to an error that already quotes it, or if it is secret. */
function omitsValue(fault: string, { secret }: Setting<unknown>): boolean {
  return secret === true || fault.includes('"');
}

/** Trims blanks that were copied with a value. */
function trimmed(value: unknown): unknown {
  return typeof value === "string" ? value.trim() : value;
}

/** Shells and containers set a variable to an empty value to unset it. */
function emptyIsAbsent(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}

function firstGiven(sources: readonly (readonly [string, unknown])[]): readonly [string, unknown] {
  return sources.find(([, value]) => value !== undefined) ?? ["", undefined];
}

export function readFlags(argv: readonly string[]): {
  readonly flags: Flags;
  readonly faults: readonly string[];
} {
  const kinds = settingEntries().map(([key, setting]) => [flagName(key), kindOf(setting)] as const);
  const { options, words, faults } = readCommandLine(argv, {
    ...Object.fromEntries(kinds),
    config: "text",
    help: "switch",
  });
  return {
    flags: Object.fromEntries(Object.entries(options).map(([name, values]) => [name, values.at(-1)])),
    faults: [
      ...faults,
      ...words.map((word) => `unexpected argument "${word}": settings are given as options`),
    ],
  };
}

function kindOf({ secret, valueName }: Setting<unknown>): OptionKind {
  if (secret === true) return "variable";
  return valueName === undefined ? "switch" : "text";
}
