/** The command line of webrpc-gen: `ridlkit -schema=api.ridl -target=typescript -client -out=api.gen.ts`. */
import { posix, resolve } from "node:path";
import { type TypescriptOptions, typescriptDefaults } from "../../../codegen/emit/drop-in/options.ts";
import { webrpcReleases } from "../../../codegen/emit/text.ts";
import type { OpenapiOptions } from "../../../codegen/options.ts";
import type { Json } from "../../../codegen/plan/json.ts";
import type { Int64Form } from "../../../codegen/plan/type-text.ts";
import { type CompiledSchema, compile } from "../../../language/compile.ts";
import { suggest } from "../../../language/diagnostics/suggest.ts";
import { visible } from "../../../language/diagnostics/visible.ts";
import { filterIr, type IrFilter, parseAnnotationFilter } from "../../../language/ir/filter.ts";
import { didYouMean, type ExitCode, exitCode } from "../command-error.ts";
import { fileReader } from "../files/reader.ts";
import { overwriteFile } from "../files/write-files.ts";
import { reportFindings } from "../output/report.ts";
import { errPaint, outPaint } from "../output/terminal.ts";
import { environmentVariable, type ProcessContext } from "../process-context.ts";

/** Returns the text of the output file. */
type PrintTarget = (
  schema: CompiledSchema,
  filter: IrFilter,
  schemaFile: string,
) => Promise<string | FlagError>;

const targets = {
  typescript: typescriptTarget,
  openapi: openapiTarget,
  json: jsonTarget,
} satisfies Readonly<Record<string, (flags: Flags, pin: string | undefined) => PrintTarget | FlagError>>;

/** Returns exit code 1 for every error, as webrpc-gen does. */
export async function runDropIn(argv: readonly string[], context: ProcessContext): Promise<ExitCode> {
  const flags = readFlags(argv);
  if (isFlagError(flags)) return printError(flags, context);
  if (flags.has("h") || flags.has("help")) return printHelp(context);
  const verbosity = verbosityOf(flags);
  if (isFlagError(verbosity)) return printError(verbosity, context);
  const target = targetOf(flags.get("target") ?? "");
  if (isFlagError(target)) return printError(target, context);
  const print = targets[target.name](flags, target.pin);
  if (isFlagError(print)) return printError(print, context);
  const filter = filterOf(flags, context);
  if (isFlagError(filter)) return printError(filter, context);
  const path = flags.get("schema") ?? "";
  const pathError = fileError(path, flags.get("out") ?? "", context);
  if (pathError !== undefined) return printError(pathError, context);
  const { pin } = target;
  if (pin !== undefined && !verbosity.isSilent)
    context.terminal.err(
      `ridlkit: "${visible(pin)}" is not fetched: ridlkit ${context.version} prints the target ${target.name}.\n`,
    );
  const { diagnostics, result } = compile(path, fileReader(context.cwd), { lenient: true });
  reportFindings(
    {
      terminal: context.terminal,
      format: "text",
      quiet: verbosity.isQuiet,
      outPaint: outPaint(context),
      errPaint: errPaint(context),
      jsonStream: "err",
      version: context.version,
    },
    diagnostics,
  );
  if (result === undefined) return exitCode.findings;
  const text = await print(result, filter, posix.basename(path));
  return typeof text === "string"
    ? write(text, flags.get("out") ?? "", verbosity, context)
    : printError(text, context);
}

function fileError(schema: string, out: string, { cwd }: ProcessContext): FlagError | undefined {
  if (schema === "") return { message: "-schema is missing; pass a file, such as -schema=api.ridl." };
  if (out === "" || resolve(cwd, out) !== resolve(cwd, schema)) return undefined;
  return { message: `-out would overwrite the schema "${schema}".` };
}

function write(
  text: string,
  out: string,
  { isSilent }: Verbosity,
  { cwd, terminal }: ProcessContext,
): ExitCode {
  if (out === "") {
    terminal.out(`${text}\n`);
    return exitCode.ok;
  }
  const reason = overwriteFile(out, text, cwd);
  if (reason !== undefined) {
    terminal.err(`ridlkit: "${visible(out)}" cannot be written: ${reason}.\n`);
    return exitCode.findings;
  }
  if (!isSilent) terminal.out(`${visible(out)}: written\n`);
  return exitCode.ok;
}

interface Verbosity {
  /** Suppresses the summary and notes. */
  readonly isSilent: boolean;
  /** Suppresses warnings too. */
  readonly isQuiet: boolean;
}

function verbosityOf(flags: Flags): Verbosity | FlagError {
  const silent = readBooleanFlag(flags, "silent");
  if (isFlagError(silent)) return silent;
  const isQuiet = readBooleanFlag(flags, "quiet");
  return isFlagError(isQuiet) ? isQuiet : { isSilent: silent || isQuiet, isQuiet };
}

interface Target {
  readonly name: keyof typeof targets;
  /** The version or repository that webrpc-gen would fetch. */
  readonly pin?: string;
}

/** `typescript`, `typescript@v0.28.0` or `github.com/webrpc/gen-typescript@v0.28.0`. */
function targetOf(text: string): Target | FlagError {
  if (text === "") return { message: `-target is missing. ${knownTargets}.` };
  const name = text.replace(/^github\.com\/webrpc\/gen-/, "").replace(/@.*$/s, "");
  if (isTarget(name)) return name === text ? { name } : { name, pin: text };
  if (/[./]/.test(name)) {
    const instead = "use `ridlkit generate --templates DIR` with Handlebars templates instead";
    return {
      message: `-target "${text}" is not supported, because ridlkit does not run Go templates; ${instead}.`,
    };
  }
  const near = didYouMean(suggest(name, Object.keys(targets)));
  return { message: `Unknown target "${text}".${near || ` ${knownTargets}.`}` };
}

function isTarget(name: string): name is keyof typeof targets {
  return Object.hasOwn(targets, name);
}

const knownTargets = `Targets: ${Object.keys(targets).join(", ")}`;

function filterOf(flags: Flags, context: ProcessContext): IrFilter | FlagError {
  const annotations: { match?: ReadonlyMap<string, string>; ignore?: ReadonlyMap<string, string> } = {};
  for (const name of ["match", "ignore"] as const) {
    const text = flags.get(name) ?? "";
    if (text === "") continue;
    const read = parseAnnotationFilter(text);
    if (read === undefined)
      return { message: `-${name} takes annotations, such as @internal,@auth:jwt; found "${text}".` };
    annotations[name] = read;
  }
  const methodTreeShake = readBooleanFlag(flags, "methodTreeShake");
  if (isFlagError(methodTreeShake)) return methodTreeShake;
  const services = (flags.get("service") ?? "").split(",").filter((name) => name !== "");
  const schemaVersion = flags.get("schemaVersion") || environmentVariable(context, "WEBRPC_SCHEMA_VERSION");
  return {
    ...annotations,
    methodTreeShake,
    ...(services.length === 0 ? {} : { services }),
    ...(schemaVersion === undefined ? {} : { schemaVersion }),
  };
}

const typescriptReaders: OptionReaders<TypescriptOptions> = {
  client: parseBoolean,
  server: parseBoolean,
  compat: parseBoolean,
  webrpcHeader: parseBoolean,
  schemaHash: parseBoolean,
  enumStyle: (text) => (text === "enum" || text === "union" ? text : undefined),
};

/** A pinned version before v0.46, of webrpc or of gen-typescript, gets the server of that time. */
function typescriptTarget(flags: Flags, pin = ""): PrintTarget | FlagError {
  const options = readOptions("typescript", flags, typescriptReaders, typescriptDefaults);
  if (isFlagError(options)) return options;
  return async (schema, filter, schemaFile) => {
    const { plan } = await planFor(schema, filter, schemaFile);
    const [, minor = "46"] = /@v0\.(\d+)/.exec(pin) ?? [];
    const servesRequests = Number(minor) >= 46;
    const refused = plan.services
      .flatMap(({ methods }) => methods)
      .find(
        ({ files, fileOutput, streamOutput }) =>
          (fileOutput || files.length > 0) && (streamOutput || !servesRequests),
      );
    if (refused !== undefined) {
      const what = refused.streamOutput ? "streams the response to a file" : "transfers a file";
      const advice = "generate its code with `ridlkit generate`, or exclude it with -ignore";
      return {
        message: `"${refused.name}" ${what}, which the output of ${pin || "gen-typescript"} does not support: ${advice}.`,
      };
    }
    const { emitTypescript } = await import("../../../codegen/emit/drop-in/index.ts");
    return emitTypescript(plan, options, { servesRequests });
  };
}

function openapiTarget(flags: Flags): PrintTarget | FlagError {
  const request = openapiOptions(flags);
  if (isFlagError(request)) return request;
  const { apiVersion, options, int64 } = request;
  return async (schema, filter, schemaFile) => {
    const versioned = apiVersion === "" ? filter : { ...filter, schemaVersion: apiVersion };
    const { plan } = await planFor(schema, versioned, schemaFile, int64);
    const { emitOpenapi } = await import("../../../codegen/emit/openapi/index.ts");
    return emitOpenapi(plan, options)[0]?.text ?? "";
  };
}

function jsonTarget(flags: Flags): PrintTarget | FlagError {
  const options = readOptions("json", flags, {}, {});
  if (isFlagError(options)) return options;
  return async ({ ir }, filter) => {
    const { writeIr } = await import("../../../language/ir/write.ts");
    return writeIr(filterIr(ir, filter));
  };
}

async function planFor(
  schema: CompiledSchema,
  filter: IrFilter,
  schemaFile: string,
  int64: Int64Form = "number",
) {
  const [{ createPlan }, { filterModel }] = await Promise.all([
    import("../../../codegen/generate.ts"),
    import("../../../codegen/plan/filter.ts"),
  ]);
  const options = { schemaFile, int64 };
  return { plan: createPlan(filterModel(schema.model, filter), filterIr(schema.ir, filter), options) };
}

function printError({ message }: FlagError, { terminal }: ProcessContext): ExitCode {
  terminal.err(`ridlkit: ${visible(message)}\nSee: ridlkit -schema= -help\n`);
  return exitCode.findings;
}

function printHelp({ terminal }: ProcessContext): ExitCode {
  const lines = Object.entries(commonFlags).map(([name, text]) => `  -${name}=`.padEnd(20) + text);
  const options = {
    typescript: Object.keys(typescriptReaders),
    openapi: [
      "title",
      "apiVersion",
      "serverUrl",
      "serverDescription",
      "servers",
      "securityAnnotation",
      "securitySchemes",
      "int64",
    ],
  };
  const more = Object.entries(options).map(
    ([target, names]) => `  ${target}: ${names.map((name) => `-${name}`).join(", ")}`,
  );
  const { oldest, newest } = webrpcReleases;
  terminal.out(
    `Usage: ridlkit -schema=FILE -target=NAME [-out=FILE] [options]\nThe command line of webrpc-gen ${oldest} to ${newest}.\n\n${lines.join("\n")}\n\nOptions of the targets:\n${more.join("\n")}\n`,
  );
  return exitCode.ok;
}

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
  target:
    "typescript, openapi or json; a version before v0.46, such as typescript@v0.28.0, serves paths only",
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

interface OpenapiFlags {
  readonly title: string;
  readonly apiVersion: string;
  readonly serverUrl: string;
  readonly serverDescription: string;
  readonly servers: string;
  readonly securityAnnotation: string;
  readonly securitySchemes: Readonly<Record<string, Json>>;
  readonly int64: Int64Form;
}

const text = (value: string): string => value;

const readers: OptionReaders<OpenapiFlags> = {
  title: text,
  apiVersion: text,
  serverUrl: text,
  serverDescription: text,
  servers: text,
  securityAnnotation: (value) => value.replace(/^@/, ""),
  securitySchemes: readSchemes,
  int64: (value) => (value === "number" || value === "bigint" ? value : undefined),
};

const defaults: OpenapiFlags = {
  title: "",
  apiVersion: "",
  serverUrl: "",
  serverDescription: "",
  servers: "",
  securityAnnotation: "",
  securitySchemes: {},
  // The documented server may be written in any language, where integers have 64 bits.
  int64: "bigint",
};

export interface OpenapiRequest {
  readonly options: OpenapiOptions;
  /** Replaces the schema's version unless empty. */
  readonly apiVersion: string;
  /** "number" limits 64-bit integers to 2^53 - 1, as in JavaScript. */
  readonly int64: Int64Form;
}

/** Reads gen-openapi's options. The extension of -out selects YAML or JSON. */
export function openapiOptions(flags: Flags): OpenapiRequest | FlagError {
  const read = readOptions("openapi", flags, readers, defaults);
  if (isFlagError(read)) return read;
  const listed = read.servers
    .split(",")
    .filter((server) => server !== "")
    .map((server) => server.split(";"))
    .map(([url = "", description]) => serverOf(url, description));
  const own = read.serverUrl === "" ? [] : [serverOf(read.serverUrl, read.serverDescription)];
  return {
    apiVersion: read.apiVersion,
    int64: read.int64,
    options: {
      format: flags.get("out")?.endsWith(".json") === true ? "json" : "yaml",
      servers: [...listed, ...own],
      securitySchemes: read.securitySchemes,
      ...(read.title === "" ? {} : { title: read.title }),
      ...(read.securityAnnotation === "" ? {} : { securityAnnotation: read.securityAnnotation }),
    },
  };
}

function serverOf(url: string, description = ""): { readonly url: string; readonly description?: string } {
  return description === "" ? { url } : { url, description };
}

/** Parses JSON. Also accepts single quotes and a trailing comma, as in gen-openapi's own examples. */
function readSchemes(value: string): Readonly<Record<string, Json>> | undefined {
  for (const form of [value, value.replaceAll("'", '"').replace(/,(\s*})/g, "$1")]) {
    try {
      const schemes: unknown = JSON.parse(form);
      if (typeof schemes === "object" && schemes !== null && !Array.isArray(schemes))
        return schemes as Readonly<Record<string, Json>>;
    } catch {
      // Try the next form.
    }
  }
  return undefined;
}
