import { parseAnnotationFilter } from "../../language/ir/filter.ts";

/** A command line option. Its key in the table is in camelCase; users type kebab-case: `hashParity` is `--hash-parity`. */
export interface Option {
  readonly kind: OptionKind;
  /** A line of the help page. */
  readonly description: string;
  /** A letter for `-h`, in addition to the short names of all commands. */
  readonly short?: string;
  /** Placeholder of the value on the help page: `NAME`. Flags have none. */
  readonly value?: string;
}

export type OptionKind = keyof OptionValues;

interface OptionValues {
  flag: boolean;
  text: string;
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
  color: { kind: "flag", description: "Always use colours, even in a pipe; --no-color disables them" },
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
