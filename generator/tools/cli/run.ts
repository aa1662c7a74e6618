import { statSync } from "node:fs";
import { resolve } from "node:path";
import { suggest } from "../../language/diagnostics/suggest.ts";
import { visibleJson, visibleOutput } from "../../language/diagnostics/visible.ts";
import type { Command, LazyCommand } from "./command.ts";
import {
  type CommandError,
  didYouMean,
  type ExitCode,
  exitCode,
  type Result,
  usageError,
  usageJson,
  usageText,
} from "./command-error.ts";
import { findConfig } from "./config/config-file.ts";
import { chooseSchemas, type Schema } from "./config/schemas.ts";
import { isDropIn } from "./drop-in/drop-in.ts";
import { fileReader } from "./files/reader.ts";
import type { HelpStyle } from "./help.ts";
import {
  type CommonValues,
  commonOptions,
  kebab,
  type OptionTable,
  parseArgs,
  type SchemaValues,
} from "./options.ts";
import type { Report } from "./output/report.ts";
import { errColumns, errPaint, outColumns, outPaint, printJson, textColumns } from "./output/terminal.ts";
import {
  type Environment,
  environmentVariable,
  type ProcessContext,
  readEnvironment,
  type Terminal,
} from "./process-context.ts";

/** Runs the program with the given arguments and returns its exit code. Throws only if ridlkit has a bug. */
export async function run(
  argv: readonly string[],
  process: ProcessContext,
  commands: readonly LazyCommand[],
): Promise<ExitCode> {
  const context = { ...process, terminal: guarded(process.terminal), wantsJson: wantsJson(argv, process) };
  if (isDropIn(argv)) return (await import("./drop-in/drop-in.ts")).runDropIn(argv, context);
  const head = parseArgs(argv, topOptions, { helpCommand: "ridlkit help", stopAtPositional: true });
  if (head.error !== undefined) return printError(context, head.error);
  const { values, positionals } = head.value;
  const [name, ...rest] = positionals;
  if (values.version) return print(context, `${context.version}\n`);
  const { color } = values;
  if (name === undefined)
    return values.help
      ? help(undefined, { ...context, color }, commands)
      : printMissingCommand({ ...context, color }, commands);
  if (name === "help") {
    const args = parseArgs(rest, commonOptions, { helpCommand: "ridlkit help" });
    return args.error === undefined
      ? help(args.value.positionals[0], { ...context, color: args.value.values.color ?? color }, commands)
      : printError(context, args.error);
  }
  const command = findCommand(name, commands);
  if (command.error !== undefined) return printError(context, command.error);
  return runCommand(
    { listed: command.value, command: await command.value.load(), positionals: rest, leadingOptions: values },
    context,
  );
}

interface RunContext extends ProcessContext {
  /** `--format json`: help and errors of the command line are JSON. */
  readonly wantsJson: boolean;
  /** The option `color`. */
  readonly color?: boolean | undefined;
}

/** Does not parse the command line, because it may be invalid. */
function wantsJson(argv: readonly string[], context: ProcessContext): boolean {
  const end = argv.indexOf("--");
  const words = end === -1 ? argv : argv.slice(0, end);
  const at = words.findLastIndex((word) => /^--?format(=|$)/.test(word));
  if (at === -1) return environmentVariable(context, "RIDLKIT_FORMAT") === "json";
  return (/=(.*)/s.exec(words[at] as string)?.[1] ?? words[at + 1]) === "json";
}

/**
 * No text may control a terminal, wherever it comes from. Standard output in a pipe or a file is not changed: it may be a schema or a file.
 */
function guarded(terminal: Terminal): Terminal {
  // The columns are read each time, so they are inherited.
  const safe: Terminal = Object.create(terminal);
  safe.err = (text) => terminal.err(visibleOutput(text));
  if (!terminal.outIsTerminal) return safe;
  // A chunk may end within a character.
  const decoder = new TextDecoder();
  safe.out = (text) => terminal.out(visibleOutput(text));
  safe.write = (chunk) =>
    terminal.write(
      visibleOutput(typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true })),
    );
  return safe;
}

const topOptions = {
  ...commonOptions,
  version: { kind: "flag", description: "Print the version" },
} as const satisfies OptionTable;

interface ParsedCommand {
  readonly listed: LazyCommand;
  readonly command: Command;
  readonly positionals: readonly string[];
  readonly leadingOptions: CommonValues;
}

async function runCommand(
  { listed, command, positionals, leadingOptions }: ParsedCommand,
  context: RunContext,
): Promise<ExitCode> {
  const helpCommand = `ridlkit help ${command.name}`;
  const args = parseArgs(positionals, { ...commonOptions, ...command.options }, { helpCommand });
  if (args.error !== undefined) return printError(context, args.error, command);
  const options = { ...leadingOptions, ...args.value.values } as CommonValues & SchemaValues;
  if (options.help) return printCommandHelp(listed, command, { ...context, color: options.color });
  const environment = readEnvironment(context);
  if (environment.error !== undefined) return printError(context, environment.error, command);
  const task: Task = { command, options, files: args.value.positionals, environment: environment.value };
  const cwd = resolve(context.cwd, options.cwd ?? ".");
  const report = reportOf(task, cwd, context);
  const schemas = validateOptions(task, cwd) ?? (await schemasOf(task, cwd));
  if (schemas.error !== undefined) return printError(context, schemas.error, command, report);
  if (command.endsWithClient) context.allowEarlyExit?.();
  return command.run({
    options,
    schemas: schemas.value,
    positionals: task.files,
    reader: fileReader(cwd),
    reloadSchemas: () => schemasOf(task, cwd),
    env: context.env,
    cwd,
    terminal: context.terminal,
    report,
    refuse: (message) => {
      printUsageError(context, { message, help: helpCommand }, command);
      return exitCode.usage;
    },
  });
}

interface Task {
  readonly command: Command;
  readonly options: CommonValues & SchemaValues;
  readonly files: readonly string[];
  readonly environment: Environment;
}

function reportOf({ command, options, environment }: Task, cwd: string, context: ProcessContext): Report {
  return {
    terminal: context.terminal,
    format: options.format ?? environment.format ?? "text",
    quiet: options.quiet ?? false,
    outPaint: outPaint(context, options.color),
    errPaint: errPaint({ ...context, cwd }, options.color),
    jsonStream: command.jsonStream,
    version: context.version,
  };
}

/** Checks the options before any file is read. */
function validateOptions(
  { command, options, files }: Task,
  cwd: string,
): { readonly error: CommandError } | undefined {
  const found = statSync(cwd, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) {
    const problem = found === undefined ? "does not exist" : "is a file";
    return usageError(`The directory "${options.cwd ?? cwd}" ${problem}.`);
  }
  if (command.takesArguments === false && files.length > 0)
    return usageError(
      `"${command.name}" takes options only; found "${files.join(" ")}".`,
      `ridlkit help ${command.name}`,
    );
  const given: Readonly<Record<string, unknown>> = options;
  const pair = command.exclusiveOptions?.find((names) => names.every((name) => isGiven(given[name])));
  if (pair === undefined) return undefined;
  const [first, second] = pair.map((name) => `--${kebab(name)}`);
  return usageError(`${first} and ${second} cannot be combined.`, `ridlkit help ${command.name}`);
}

/** An empty list of annotations, as from `--match=$UNSET`, counts as not given. */
function isGiven(value: unknown): boolean {
  return value instanceof Map ? value.size > 0 : value !== undefined;
}

async function schemasOf(task: Task, cwd: string): Promise<Result<readonly Schema[]>> {
  const { command, options, files, environment } = task;
  if (command.readsSchemas === false) return { value: [] };
  const requestedPath = options.config ?? environment.config;
  const found = await findConfig({ cwd, reader: fileReader(cwd), requestedPath });
  if (found.error !== undefined) return found;
  const chosen = command.takesNames ? schemaOption(options) : files;
  if (command.mayLackSchema && chosen.length === 0 && found.value === undefined) return { value: [] };
  return chooseSchemas({
    command: command.name,
    takesOneSchema: command.takesOneSchema === true,
    prefersHandlers: command.prefersHandlers === true,
    files: chosen,
    options,
    environment,
    found: found.value,
  });
}

/** The file of the option `schema`, which some commands have. */
function schemaOption(options: Readonly<Record<string, unknown>>): readonly string[] {
  const { schema } = options;
  return typeof schema === "string" ? [schema] : [];
}

async function help(
  name: string | undefined,
  context: RunContext,
  commands: readonly LazyCommand[],
): Promise<ExitCode> {
  if (name === undefined)
    return print(
      context,
      context.wantsJson ? await overviewJson(commands) : await overviewHelp(commands, outStyle(context)),
    );
  const command = findCommand(name, commands);
  if (command.error !== undefined) return printError(context, command.error);
  return printCommandHelp(command.value, await command.value.load(), context);
}

async function printCommandHelp(
  { summary }: LazyCommand,
  command: Command,
  context: RunContext,
): Promise<ExitCode> {
  const { commandHelpJson, commandHelpText } = await import("./help.ts");
  const text = context.wantsJson
    ? json(commandHelpJson(summary, command))
    : commandHelpText(summary, command, outStyle(context));
  return print(context, text);
}

async function overviewHelp(commands: readonly LazyCommand[], style: HelpStyle): Promise<string> {
  const { helpText } = await import("./help.ts");
  return helpText(commands, style);
}

function outStyle(context: RunContext): HelpStyle {
  return { columns: textColumns(outColumns(context.terminal)), paint: outPaint(context, context.color) };
}

async function overviewJson(commands: readonly LazyCommand[]): Promise<string> {
  const { helpJson } = await import("./help.ts");
  return json(helpJson(commands));
}

function json(value: unknown): string {
  return `${visibleJson(JSON.stringify(value, null, 2))}\n`;
}

function findCommand(name: string, commands: readonly LazyCommand[]): Result<LazyCommand> {
  const command = commands.find((each) => each.name === name);
  if (command !== undefined) return { value: command };
  const near = suggest(name, [...commands.map((each) => each.name), "help"]);
  const hint = didYouMean(near) || ` Commands: ${commands.map((each) => each.name).join(", ")}, help.`;
  return usageError(`Unknown command "${name}".${hint}`);
}

function print({ terminal }: ProcessContext, text: string): ExitCode {
  terminal.out(text);
  return exitCode.ok;
}

/** Prints the help as an error, so that a script that forgot the command fails. */
async function printMissingCommand(context: RunContext, commands: readonly LazyCommand[]): Promise<ExitCode> {
  const { terminal } = context;
  if (context.wantsJson) {
    const names = commands.map(({ name }) => name).join(", ");
    return printError(context, usageError(`Missing command. Commands: ${names}, help.`).error);
  }
  const style = { columns: textColumns(errColumns(terminal)), paint: errPaint(context, context.color) };
  terminal.err(await overviewHelp(commands, style));
  return exitCode.usage;
}

type JsonOutput = Pick<Command, "jsonStream">;

async function printError(
  context: RunContext,
  error: CommandError,
  command: JsonOutput = { jsonStream: "out" },
  report?: Report,
): Promise<ExitCode> {
  if (error.kind === "configuration" && report !== undefined) {
    const { reportFindings } = await import("./output/report.ts");
    reportFindings(report, error.diagnostics);
  }
  if (error.kind === "usage") printUsageError(context, error, command);
  return exitCode.usage;
}

function printUsageError(
  { terminal, wantsJson }: RunContext,
  error: { readonly message: string; readonly help: string },
  { jsonStream }: JsonOutput,
): void {
  if (wantsJson) printJson(terminal, jsonStream, usageJson(error));
  else terminal.err(usageText(error.message, error.help));
}
