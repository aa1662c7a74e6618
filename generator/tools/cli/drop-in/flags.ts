import { suggest } from "../../../language/diagnostics/suggest.ts";
import { didYouMean } from "../refusal.ts";

/** Flags by name; one without "=" has an empty text. */
export type Flags = ReadonlyMap<string, string>;

/** A sentence that says what is wrong with a command line. */
export interface Complaint {
  readonly complaint: string;
}

export function isComplaint(value: object | boolean): value is Complaint {
  return typeof value === "object" && "complaint" in value;
}

/** The flags of webrpc-gen itself; all others are options of the target. */
export const ownFlags = {
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

/** Whether a command line is one of webrpc-gen: it has `-schema=` or `-target=`, and no verb before it. */
export function isDropIn(argv: readonly string[]): boolean {
  return argv[0]?.startsWith("-") === true && argv.some((word) => /^--?(schema|target)(=|$)/.test(word));
}

/** `-client -out=x.ts` → client: "", out: "x.ts". */
export function readFlags(argv: readonly string[]): Flags | Complaint {
  const flags = new Map<string, string>();
  for (const word of argv) {
    const [, name, text = ""] = /^--?([A-Za-z][\w.]*)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === undefined) {
      return { complaint: `"${word}" is no option: here each is written as -name=value.` };
    }
    flags.set(name, text);
  }
  const both = flags.get("match") && flags.get("ignore");
  return both ? { complaint: "-match and -ignore exclude each other." } : flags;
}

/** What a target makes of an option. */
export type OptionReader<Options> = {
  readonly [Name in keyof Options]: (text: string) => Options[Name] | undefined;
};

/** Options of a target over their defaults; refuses one that the target does not have, or a value that it cannot be. */
export function readOptions<Options extends object>(
  target: string,
  flags: Flags,
  readers: OptionReader<Options>,
  defaults: Options,
): Options | Complaint {
  const options: Options = { ...defaults };
  for (const [name, text] of flags) {
    if (Object.hasOwn(ownFlags, name)) continue;
    if (!Object.hasOwn(readers, name)) return unknownOption(target, name, Object.keys(readers));
    const key = name as keyof Options;
    const value = readers[key](text);
    if (value === undefined) return { complaint: `-${name} cannot be "${text}".` };
    options[key] = value;
  }
  return options;
}

function unknownOption(target: string, name: string, known: readonly string[]): Complaint {
  const near = didYouMean(suggest(name, [...known, ...Object.keys(ownFlags)]));
  const all = known.length === 0 ? "It has none." : `It has ${known.map((one) => `-${one}`).join(", ")}.`;
  return { complaint: `The target ${target} has no option -${name}.${near || ` ${all}`}` };
}

/** A flag of webrpc-gen itself that is on or off; off if it is not there. */
export function readSwitch(flags: Flags, name: keyof typeof ownFlags): boolean | Complaint {
  const text = flags.get(name);
  if (text === undefined) return false;
  return flagValue(text) ?? { complaint: `-${name} takes true or false.` };
}

export function flagValue(text: string): boolean | undefined {
  if (text === "" || text === "true") return true;
  return text === "false" ? false : undefined;
}
