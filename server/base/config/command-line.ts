import { parseArgs } from "node:util";
import { suggest } from "../../../generator/language/diagnostics/suggest.ts";

/**
 * `text` takes a value; `switch` is on or, as `--no-x`, off; `variable` takes a value too, but only from the environment, so
 * the option is an error that must not quote the value.
 */
export type OptionKind = "text" | "switch" | "variable";

export interface CommandLine {
  /** By name: the values of all occurrences. */
  readonly options: Readonly<Record<string, readonly (string | boolean)[]>>;
  readonly words: readonly string[];
  readonly faults: readonly string[];
}

/** Parses a command line to its end, despite errors. */
export function readCommandLine(
  argv: readonly string[],
  kinds: Readonly<Record<string, OptionKind>>,
): CommandLine {
  const names = new Map(Object.entries(kinds));
  const options = new Map<string, (string | boolean)[]>();
  const words: string[] = [];
  const faults: string[] = [];
  const add = (name: string, value: string | boolean): void => {
    options.set(name, [...(options.get(name) ?? []), value]);
  };
  for (const token of tokensOf(argv, names)) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    const { name, rawName, value } = token;
    const kind = names.get(name);
    if (kind === "switch") add(name, value ?? true);
    else if (kind === "text" && (value === undefined || isOption(value, names)))
      faults.push(`${rawName}: a value is missing`);
    else if (kind === "text" && value !== undefined) add(name, value);
    else if (kind === "variable") faults.push(hasNoFlag(rawName));
    else if (name.startsWith("no-") && names.get(name.slice(3)) === "switch" && value === undefined)
      add(name.slice(3), false);
    else faults.push(unknownOption(rawName, names));
  }
  return { options: Object.fromEntries(options), words, faults };
}

/** Not strict: `parseArgs` would throw on the first error, with hints for programmers. */
function tokensOf(argv: readonly string[], names: ReadonlyMap<string, OptionKind>) {
  const types = [...names].map(([name, kind]) => [name, { type: kind === "switch" ? "boolean" : "string" }]);
  return parseArgs({
    args: [...argv],
    options: Object.fromEntries(types) as Record<string, { type: "string" | "boolean" }>,
    strict: false,
    allowPositionals: true,
    tokens: true,
  }).tokens;
}

/** `--port --json`: the value is missing if the next word is another option. */
function isOption(value: string, names: ReadonlyMap<string, OptionKind>): boolean {
  return value.startsWith("--") && names.has(value.slice(2).split("=")[0] ?? "");
}

function unknownOption(rawName: string, names: ReadonlyMap<string, OptionKind>): string {
  const near = suggest(
    rawName,
    [...names].filter(([, kind]) => kind !== "variable").map(([name]) => `--${name}`),
  );
  return `unknown option "${rawName}"${near === undefined ? "" : `; did you mean "${near}"?`}`;
}

function hasNoFlag(rawName: string): string {
  const variable = rawName.replace(/^--/, "").replaceAll("-", "_").toUpperCase();
  return `${rawName}: this setting has no flag, because every user of the machine can read the arguments of its processes; set ${variable}`;
}
