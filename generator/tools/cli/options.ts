import { suggest } from "../../language/diagnostics/suggest.ts";
import { parseAnnotationFilter } from "../../language/ir/filter.ts";
import { didYouMean, type Result, usageError } from "./command-error.ts";

/** A command line option. Its key in the table is in camelCase; users type kebab-case: `hashParity` is `--hash-parity`. */
export interface Option {
  readonly kind: OptionKind;
  /** A line of the help page. */
  readonly description: string;
  /** A letter for `-h`, in addition to the short names of all commands. */
  readonly short?: string;
  /** Placeholder of the value on the help page: `NAME`. Flags have none. */
  readonly value?: string;
  /** The largest integer. Default: `largest`. */
  readonly max?: number;
}

const largest = 999_999_999;

export type OptionKind = keyof OptionValues;

interface OptionValues {
  flag: boolean;
  text: string;
  integer: number;
  /** Like `text`, but an empty value counts as not given: `--schema-version=$VERSION`. */
  optionalText: string;
  format: Format;
  names: readonly string[];
  /** A repeatable option: one item each time. */
  texts: readonly string[];
  annotations: ReadonlyMap<string, string>;
}

/** Output formats of diagnostics. */
export const formats = ["text", "json", "github", "sarif"] as const;
export type Format = (typeof formats)[number];

export const expectedFormats = "text, json, github or sarif";

export type OptionTable = Readonly<Record<string, Option>>;

/** The given options. Omitted options have no key. */
export type Values<Table extends OptionTable> = {
  readonly [Name in keyof Table]?: OptionValues[Table[Name]["kind"]] | undefined;
};

/** Parsers of option values. `parse` returns undefined for an invalid value; `expected` describes valid ones. */
export const optionParsers: {
  readonly [Kind in OptionKind]: {
    readonly expected: string;
    parse(text: string): OptionValues[Kind] | undefined;
  };
} = {
  flag: { expected: "true or false", parse: (text) => booleanTexts.get(text) },
  text: { expected: "a value", parse: (text) => text || undefined },
  integer: {
    expected: "an integer",
    parse: (text) => (/^[0-9]{1,9}$/.test(text) ? Number(text) : undefined),
  },
  optionalText: { expected: "a value", parse: (text) => text },
  format: { expected: expectedFormats, parse: (text) => formats.find((format) => format === text) },
  names: { expected: "names, such as A,B", parse: (text) => text.split(",").filter((name) => name !== "") },
  texts: { expected: "a value", parse: (text) => (text === "" ? undefined : [text]) },
  annotations: {
    expected: "annotations, such as @internal,@auth:jwt",
    parse: (text) => (text === "" ? new Map() : parseAnnotationFilter(text)),
  },
};

/** The texts of true and false, on the command line and in environment variables. */
export const booleanTexts: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

/** Options that all commands accept. */
export const commonOptions = {
  cwd: { kind: "text", value: "DIR", description: "Run as if started in DIR" },
  config: {
    kind: "text",
    value: "FILE",
    description: "Use this configuration file",
  },
  format: {
    kind: "format",
    value: "FORM",
    description: "Output format: text (default), json, github or sarif",
  },
  quiet: { kind: "flag", description: "Print errors only: no warnings, no summaries" },
  color: { kind: "flag", description: "Always use colors, even in a pipe; --no-color disables them" },
  help: { kind: "flag", description: "Show the help of a command" },
} as const;

export type CommonValues = Values<typeof commonOptions>;

/** Options of all commands that read schemas. */
export const schemaOptions = {
  project: { kind: "text", value: "NAME", description: "Use only this schema of the configuration" },
  strict: { kind: "flag", description: "Treat warnings as errors; --no-strict overrides the configuration" },
  hashParity: {
    kind: "flag",
    description: "Encode non-ASCII values as webrpc does, for the same schema hash",
  },
  confineImports: { kind: "flag", description: "Reject imports of files outside the project" },
} as const;

export type SchemaValues = Values<typeof schemaOptions>;

/** `hashParity` → `hash-parity`. Returns a name in kebab-case unchanged. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

export interface Args<Table extends OptionTable> {
  readonly values: Values<Table>;
  /** The arguments that are not options, in order. */
  readonly positionals: readonly string[];
}

export interface ArgRules {
  /** The command that explains the options, for error messages: `ridlkit help ir`. */
  readonly helpCommand: string;
  /** Stop at the first argument that is not an option. It and everything after it become positionals. */
  readonly stopAtPositional?: boolean;
}

/**
 * Parses `--name value`, `--name=value`, `--flag`, `--no-flag` and `--flag=false`, with one dash or two and the name in kebab-case or
 * camelCase. `--` ends the options. Lists that are given twice are joined; of other options the last one counts.
 */
export function parseArgs<Table extends OptionTable>(
  argv: readonly string[],
  table: Table,
  rules: ArgRules,
): Result<Args<Table>> {
  const values: Record<string, unknown> = {};
  const positionals: string[] = [];
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] as string;
    if (word === "--") {
      positionals.push(...argv.slice(at + 1));
      break;
    }
    if (!isOption(word)) {
      positionals.push(...(rules.stopAtPositional ? argv.slice(at) : [word]));
      if (rules.stopAtPositional) break;
      continue;
    }
    const found = find(word, table);
    if (found === undefined) return usageError(unknownOption(word, table), rules.helpCommand);
    const text = found.text ?? (takesNext(found, table, argv[at + 1]) ? argv[++at] : undefined);
    const value = read({ ...found, text }, table);
    if (value === undefined) return usageError(badValue({ ...found, text }, table), rules.helpCommand);
    values[found.name] = joined(values[found.name], value);
  }
  return { value: { values: values as Values<Table>, positionals } };
}

/** A typed option: `--no-strict` → `{ name: "strict", negated: true }`. */
interface TypedOption {
  /** Key in the table. */
  readonly name: string;
  readonly negated: boolean;
  /** The text after "=", or the next argument. */
  readonly text: string | undefined;
}

function find(word: string, table: OptionTable): TypedOption | undefined {
  const [, typed = "", text] = /^--?([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
  const short = Object.keys(table).find((key) => table[key]?.short === typed);
  const wanted = kebab(short ?? shortNames.get(typed) ?? typed);
  const keyOf = (name: string) => Object.keys(table).find((key) => kebab(key) === name);
  const name = keyOf(wanted);
  if (name !== undefined) return { name, negated: false, text };
  const flag = wanted.startsWith("no-") ? keyOf(wanted.slice("no-".length)) : undefined;
  if (flag === undefined || table[flag]?.kind !== "flag" || text !== undefined) return undefined;
  return { name: flag, negated: true, text };
}

const shortNames: ReadonlyMap<string, string> = new Map([
  ["h", "help"],
  ["o", "out"],
  ["q", "quiet"],
]);

/** A lone "-" is not an option, and neither is a number: `--error-rate -1`. */
function isOption(word: string): boolean {
  return word.startsWith("-") && !/^-([0-9.]|$)/.test(word);
}

/** An option never is the value of the option before it. Values that start with "-" need "=". */
function takesNext({ name }: TypedOption, table: OptionTable, next: string | undefined): boolean {
  return table[name]?.kind !== "flag" && next !== undefined && !isOption(next);
}

function read({ name, negated, text }: TypedOption, table: OptionTable): unknown {
  const kind = table[name]?.kind ?? "flag";
  if (text === undefined) return kind === "flag" ? !negated : undefined;
  const value = optionParsers[kind].parse(text);
  return typeof value === "number" && value > (table[name]?.max ?? largest) ? undefined : value;
}

function joined(before: unknown, value: unknown): unknown {
  if (before instanceof Map && value instanceof Map) return new Map([...before, ...value]);
  return Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
}

function unknownOption(word: string, table: OptionTable): string {
  const typed = word.replace(/=.*$/s, "");
  const near = suggest(kebab(typed.replace(/^--?/, "")), Object.keys(table).map(kebab));
  return `Unknown option "${typed}".${didYouMean(near === undefined ? undefined : `--${near}`)}`;
}

function badValue({ name, text }: TypedOption, table: OptionTable): string {
  const option = table[name];
  const range = option?.kind === "integer" ? ` from 0 to ${option.max ?? largest}` : "";
  const expected = optionParsers[option?.kind ?? "flag"].expected + range;
  const found = text === undefined ? "found no value" : `found "${text}"`;
  return `--${kebab(name)} takes ${expected}; ${found}.`;
}
