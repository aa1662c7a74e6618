import { suggest } from "../../../language/diagnostics/suggest.ts";
import { didYouMean } from "../command-error.ts";

/** Values of flags by name. A flag without "=" has the value "". */
export type Flags = ReadonlyMap<string, string>;

export interface FlagError {
  readonly message: string;
}

export function isFlagError(value: object | boolean): value is FlagError {
  return typeof value === "object" && "complaint" in value;
}

/** The flags of webrpc-gen itself. All other flags are options of the target. */
export const commonFlags = {
  schema: "path of the schema, .ridl, .yaml or .json",
  target: "typescript, openapi or json; a version, as typescript@v0.28.0, is not fetched",
  out: "file to write; without it the standard output",
  schemaVersion: "replaces the schema's version",
  service: "only these services, as A,B",
  methodTreeShake: "with -service: only the types that they use",
  match: "only methods with one of these annotations, as @public,@auth:jwt",
  ignore: "no methods with one of these annotations",
  fmt: "has no effect here: what is written is formatted",
  refreshCache: "has no effect here: nothing is fetched",
  silent: "no summary and no notes",
  quiet: "as -silent, and no warnings",
} as const;

/** Whether a command line is for webrpc-gen: it contains `-schema=` or `-target=` and starts with a flag instead of a command. */
export function isDropIn(argv: readonly string[]): boolean {
  return argv[0]?.startsWith("-") === true && argv.some((word) => /^--?(schema|target)(=|$)/.test(word));
}

/** `-client -out=x.ts` → client: "", out: "x.ts". */
export function readFlags(argv: readonly string[]): Flags | FlagError {
  const flags = new Map<string, string>();
  for (const word of argv) {
    const [, name, text = ""] = /^--?([A-Za-z][\w.]*)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === undefined) {
      return { message: `"${word}" is no option: here each is written as -name=value.` };
    }
    flags.set(name, text);
  }
  const both = flags.get("match") && flags.get("ignore");
  return both ? { message: "-match and -ignore exclude each other." } : flags;
}

/** Parsers for the options of a target. A parser returns undefined for an invalid value. */
export type OptionReaders<Options> = {
  readonly [Name in keyof Options]: (text: string) => Options[Name] | undefined;
};

/** Returns a target's options with defaults. Rejects unknown options and invalid values. */
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
    if (value === undefined) return { message: `-${name} cannot be "${text}".` };
    options[key] = value;
  }
  return options;
}

function unknownOption(target: string, name: string, known: readonly string[]): FlagError {
  const near = didYouMean(suggest(name, [...known, ...Object.keys(commonFlags)]));
  const all = known.length === 0 ? "It has none." : `It has ${known.map((one) => `-${one}`).join(", ")}.`;
  return { message: `The target ${target} has no option -${name}.${near || ` ${all}`}` };
}

/** Reads a boolean flag of webrpc-gen. A missing flag is false. */
export function readBooleanFlag(flags: Flags, name: keyof typeof commonFlags): boolean | FlagError {
  const text = flags.get(name);
  if (text === undefined) return false;
  return parseBoolean(text) ?? { message: `-${name} takes true or false.` };
}

export function parseBoolean(text: string): boolean | undefined {
  if (text === "" || text === "true") return true;
  return text === "false" ? false : undefined;
}
