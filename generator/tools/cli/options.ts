import { parseAnnotationFilter } from "../../language/ir/filter.ts";

/** An option of the command line. Its name is its camelCase key in the option table: `hashParity` is typed `--hash-parity`. */
export interface Option {
  readonly kind: OptionKind;
  readonly description: string;
  /** Placeholder of the value in the help: `NAME`. Absent for flags. */
  readonly value?: string;
}

export type OptionKind = keyof OptionValues;

interface OptionValues {
  flag: boolean;
  text: string;
  /** Like `text`, but an empty value is allowed and counts as not given: `--schema-version=$VERSION`. */
  optionalText: string;
  format: Format;
  names: readonly string[];
  /** One text for each use of the option, without splitting. */
  texts: readonly string[];
  annotations: ReadonlyMap<string, string>;
}

/** Output formats of diagnostics. */
export const formats = ["text", "json", "github", "sarif"] as const;
export type Format = (typeof formats)[number];

export const expectedFormats = "text, json, github or sarif";

export type OptionTable = Readonly<Record<string, Option>>;

/** Parsed values. An option that was not given is absent. */
export type Values<Table extends OptionTable> = {
  readonly [Name in keyof Table]?: OptionValues[Table[Name]["kind"]] | undefined;
};

/** Parsers for the text after an option. `parse` returns undefined for invalid text. */
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
  names: { expected: "names, as A,B", parse: (text) => text.split(",").filter((name) => name !== "") },
  texts: { expected: "a value", parse: (text) => (text === "" ? undefined : [text]) },
  annotations: {
    expected: "annotations, as @internal,@auth:jwt",
    parse: (text) => (text === "" ? new Map() : parseAnnotationFilter(text)),
  },
};

/** Values of flags, on the command line and in the environment. */
export const booleanTexts: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

export const commonOptions = {
  cwd: { kind: "text", value: "DIR", description: "run as if started in DIR" },
  config: {
    kind: "text",
    value: "FILE",
    description: "read this configuration instead of searching the working directory",
  },
  format: {
    kind: "format",
    value: "FORM",
    description: "diagnostics as text (default), json, github or sarif",
  },
  quiet: { kind: "flag", description: "show errors only: no warnings, no summaries" },
  color: { kind: "flag", description: "use colours, also in a pipe; --no-color: never" },
  help: { kind: "flag", description: "show this help" },
} as const;

export type CommonValues = Values<typeof commonOptions>;

export const schemaOptions = {
  project: { kind: "text", value: "NAME", description: "only this schema of the configuration" },
  strict: { kind: "flag", description: "refuse also what webrpc lets pass; --no-strict: do not" },
  hashParity: { kind: "flag", description: "write non-ASCII values as webrpc does, for equal schema hashes" },
  confineImports: { kind: "flag", description: "refuse imports that lead out of the project" },
} as const;

export type SchemaValues = Values<typeof schemaOptions>;

/** `hashParity` → `hash-parity`. Names in kebab-case stay unchanged. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
