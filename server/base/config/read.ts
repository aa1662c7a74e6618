import { existsSync, readFileSync } from "node:fs";
import { suggest } from "../../../generator/language/diagnostics/suggest.ts";
import { isSystemError, systemReason } from "../../../generator/language/diagnostics/system-reason.ts";
import { type OptionKind, readCommandLine } from "./command-line.ts";
import type { Config } from "./config.ts";
import type { Setting } from "./setting.ts";
import { settings } from "./settings.ts";

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
      ...words.map(
        (word) =>
          `unexpected argument "${word}": settings are given as options, and a command comes before them`,
      ),
    ],
  };
}

function kindOf({ secret, valueName }: Setting<unknown>): OptionKind {
  if (secret === true) return "variable";
  return valueName === undefined ? "switch" : "text";
}

interface ConfigFile {
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly faults: readonly string[];
}

/** Read from the working directory by default, if it exists. */
const defaultPath = "platform.config.yaml";

/** Reads a file of settings, YAML or JSON (a subset of YAML). */
async function readFile(named: string | boolean | undefined): Promise<ConfigFile> {
  const path = typeof named === "string" ? named : defaultPath;
  if (named === undefined && !existsSync(path)) return { path, values: {}, faults: [] };
  const failed = (fault: string): ConfigFile => ({ path, values: {}, faults: [`${path}: ${fault}`] });
  let values: unknown;
  try {
    const { parse } = await import("yaml");
    values = parse(readFileSync(path, "utf8"));
  } catch (err) {
    if (isSystemError(err)) return failed(systemReason(err));
    return failed(err instanceof Error ? (err.message.split("\n")[0] ?? "") : String(err));
  }
  if (values === null) return { path, values: {}, faults: [] };
  if (typeof values !== "object" || Array.isArray(values))
    return failed("expected settings such as port: 4000");
  const unknown = Object.keys(values).filter((key) => !Object.hasOwn(settings, key));
  return {
    path,
    values: values as Record<string, unknown>,
    faults: unknown.map(
      (key) => `${path}: unknown setting "${key}"${hint(suggest(key, Object.keys(settings)))}`,
    ),
  };
}

function hint(name: string | undefined): string {
  return name === undefined ? "" : `; did you mean "${name}"?`;
}

export function settingEntries(): readonly [keyof Config, Setting<unknown>][] {
  return Object.entries(settings) as [keyof Config, Setting<unknown>][];
}

/** `dataDir` → `data-dir`. */
export function flagName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `dataDir` → `DATA_DIR`. */
export function envName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

const lineMaxLength = 100;
const nameLength = 31;
const indent = " ".repeat(nameLength + 3);

export function usage(): string {
  const lines = settingEntries().map(([key, { valueName, secret, help, fallback }]) => {
    const name =
      secret === true ? envName(key) : `--${flagName(key)}${valueName === undefined ? "" : ` ${valueName}`}`;
    const hasDefaultText =
      help.includes("default:") || typeof fallback === "object" || fallback === undefined;
    return entry(name, `${help}${hasDefaultText ? "" : ` (default: ${fallback})`}`);
  });
  return `Usage: platform [FLAGS]

${lines.join("\n")}
${entry("--config FILE", "read settings from this YAML or JSON file (default: platform.config.yaml)")}
${entry("--version", "print the version")}

Each flag can also be set as an environment variable or as a key of the file: --data-dir is
DATA_DIR and dataDir. Flags override the environment, which overrides the file. Names in capitals
are secret settings, which have no flag.

Run "npx platform help" for the commands of operators.
`;
}

/** A long name has a line of its own. */
function entry(name: string, help: string): string {
  const [first = "", ...more] = wrapped(help, lineMaxLength - indent.length);
  const head = name.length <= nameLength ? `${name.padEnd(nameLength)} ` : `${name}\n${indent}`;
  return `  ${head}${[first, ...more.map((line) => indent + line)].join("\n")}`;
}

function wrapped(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= columns) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
