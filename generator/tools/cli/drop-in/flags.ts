import { suggest } from "../../../language/diagnostics/suggest.ts";
import { didYouMean } from "../command-error.ts";

/** Flags by name. A flag without "=" has the value "". */
export type Flags = ReadonlyMap<string, string>;

/** A message about an invalid command line. */
export interface FlagError {
  readonly message: string;
}

export function isFlagError(value: object | boolean): value is FlagError {
  return typeof value === "object" && "message" in value;
}

/** The flags of webrpc-gen itself. All other flags are options of the target. */
export const commonFlags = {
  schema: "Path of the schema: .ridl, .yaml or .json",
  target: "typescript, openapi or json; a version such as typescript@v0.28.0 is ignored",
  out: "File to write; default: standard output",
  schemaVersion: "Replace the schema's version",
  service: "Include only these services, such as A,B",
  methodTreeShake: "With -service: include only the types that the services use",
  match: "Include only methods with one of these annotations, such as @public,@auth:jwt",
  ignore: "Exclude methods with one of these annotations",
  fmt: "No effect; output is always formatted",
  refreshCache: "No effect; ridlkit fetches nothing",
  silent: "Print no summary and no notes",
  quiet: "Like -silent, and print no warnings",
} as const;

/** Whether the arguments are those of webrpc-gen: they contain `-schema=` or `-target=` and start with an option. */
export function isDropIn(argv: readonly string[]): boolean {
  return argv[0]?.startsWith("-") === true && argv.some((word) => /^--?(schema|target)(=|$)/.test(word));
}

/** `-client -out=x.ts` → client: "", out: "x.ts". */
export function readFlags(argv: readonly string[]): Flags | FlagError {
  const flags = new Map<string, string>();
  for (const word of argv) {
    const [, name, text = ""] = /^--?([A-Za-z][\w.]*)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === undefined) {
      return { message: `"${word}" is not an option. With -schema, write options as -name=value.` };
    }
    flags.set(name, text);
  }
  const both = flags.get("match") && flags.get("ignore");
  return both ? { message: "-match and -ignore cannot be combined." } : flags;
}

/** Parsers of a target's options. They return undefined for an invalid value. */
export type OptionReaders<Options> = {
  readonly [Name in keyof Options]: (text: string) => Options[Name] | undefined;
};

/** Parses the options of a target and adds defaults. Rejects unknown options and invalid values. */
export function readOptions<Options extends object>(
  target: string,
  flags: Flags,
  readers: OptionReaders<Options>,
  defaults: Options,
): Options | FlagError {
  const options: Options = { ...defaults };
  for (const [name, text] of flags) {
    if (Object.hasOwn(commonFlags, name)) continue;
    if (!Object.hasOwn(readers, name)) return unknownOption(target, name, Object.keys(readers));
    const key = name as keyof Options;
    const value = readers[key](text);
    if (value === undefined) return { message: `-${name} does not accept "${text}".` };
    options[key] = value;
  }
  return options;
}

function unknownOption(target: string, name: string, known: readonly string[]): FlagError {
  const near = didYouMean(suggest(name, [...known, ...Object.keys(commonFlags)]));
  const all =
    known.length === 0 ? "It has no options." : `Options: ${known.map((one) => `-${one}`).join(", ")}.`;
  return { message: `The target ${target} has no option -${name}.${near || ` ${all}`}` };
}

/** Reads a boolean flag of webrpc-gen. Default: false. */
export function readBooleanFlag(flags: Flags, name: keyof typeof commonFlags): boolean | FlagError {
  const text = flags.get(name);
  if (text === undefined) return false;
  return parseBoolean(text) ?? { message: `-${name} takes true or false.` };
}

export function parseBoolean(text: string): boolean | undefined {
  if (text === "" || text === "true") return true;
  return text === "false" ? false : undefined;
}
