import { statSync } from "node:fs";
import { resolve } from "node:path";
import { suggest } from "../../language/diagnostics/suggest.ts";
import { visibleOutput } from "../../language/diagnostics/visible.ts";
import type { Command, LazyCommand } from "./command.ts";
import {
  type CommandError,
  didYouMean,
  type ExitCode,
  exitCode,
  type Result,
  usageError,
  usageText,
} from "./command-error.ts";
import { findConfig } from "./config/config-file.ts";
import { chooseSchemas, type Schema } from "./config/schemas.ts";
import { isDropIn } from "./drop-in/drop-in.ts";
import { fileReader } from "./files/reader.ts";
import {
  type CommonValues,
  commonOptions,
  kebab,
  type OptionTable,
  parseArgs,
  type SchemaValues,
} from "./options.ts";
import type { Report } from "./output/report.ts";
import { errColumns, fileLinks, outColumns, textColumns } from "./output/terminal.ts";
import {
  type Environment,
  type ProcessContext,
  readEnvironment,
  shouldUseColour,
  type Terminal,
} from "./process-context.ts";

/** Runs the program with the given arguments and returns its exit code. Throws only if ridlkit has a bug. */
export async function run(
  argv: readonly string[],
  process: ProcessContext,
  commands: readonly LazyCommand[],
): Promise<ExitCode> {
  const host = { ...process, terminal: guarded(process.terminal) };
  if (argv[0] === completeCommand) return printCandidates(argv.slice(1), host, commands);
  if (isDropIn(argv)) return (await import("./drop-in/drop-in.ts")).runDropIn(argv, host);
  const head = parseArgs(argv, topOptions, { helpCommand: "ridlkit help", stopAtPositional: true });
  if (head.error !== undefined) return printError(host, head.error);
  const { values, positionals } = head.value;
  const [name, ...rest] = positionals;
  if (values.version) return print(host, `${host.version}\n`);
  if (name === undefined)
    return values.help ? help(undefined, host, commands) : printMissingCommand(host, commands);
  if (name === "help") return help(rest[0], host, commands);
  const command = findCommand(name, commands);
  if (command.error !== undefined) return printError(host, command.error);
  return runCommand(
    { listed: command.value, command: await command.value.load(), positionals: rest, leadingOptions: values },
    host,
  );
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

/** Hidden: completion scripts of shells call this command. */
const completeCommand = "__complete";

async function printCandidates(
  words: readonly string[],
  host: ProcessContext,
  commands: readonly LazyCommand[],
): Promise<ExitCode> {
  const { complete } = await import("./completion/complete.ts");
  const candidates = await complete(words, host, commands);
  return print(host, candidates.map((parts) => `${parts.join("\t")}\n`).join(""));
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
  host: ProcessContext,
): Promise<ExitCode> {
  const args = parseArgs(
    positionals,
    { ...commonOptions, ...command.options },
    { helpCommand: `ridlkit help ${command.name}` },
  );
  if (args.error !== undefined) return printError(host, args.error);
  const options = { ...leadingOptions, ...args.value.values } as CommonValues & SchemaValues;
  if (options.help) return printCommandHelp(listed, command, host);
  const environment = readEnvironment(host);
  if (environment.error !== undefined) return printError(host, environment.error);
  const task: Task = { command, options, files: args.value.positionals, environment: environment.value };
  const cwd = resolve(host.cwd, options.cwd ?? ".");
  const report = reportOf(task, cwd, host);
  const schemas = validateOptions(task, cwd) ?? (await schemasOf(task, cwd));
  if (schemas.error !== undefined) return printError(host, schemas.error, report);
  if (command.endsWithClient) host.allowEarlyExit?.();
  return command.run({
    options,
    schemas: schemas.value,
    positionals: task.files,
    reader: fileReader(cwd),
    reloadSchemas: () => schemasOf(task, cwd),
    env: host.env,
    cwd,
    terminal: host.terminal,
    report,
  });
}

interface Task {
  readonly command: Command;
  readonly options: CommonValues & SchemaValues;
  readonly files: readonly string[];
  readonly environment: Environment;
}

function reportOf({ command, options, environment }: Task, cwd: string, host: ProcessContext): Report {
  return {
    terminal: host.terminal,
    format: options.format ?? environment.format ?? "text",
    quiet: options.quiet ?? false,
    colour: shouldUseColour(host, options.color, host.terminal.errIsTerminal),
    linkFile: fileLinks({ cwd, env: host.env, options }, host.terminal.errIsTerminal),
    jsonStream: command.jsonStream,
    version: host.version,
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
  const pair = command.exclusiveOptions.find((names) => names.every((name) => isGiven(given[name])));
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
    takesSeveralSchemas: command.takesSeveralSchemas,
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
  host: ProcessContext,
  commands: readonly LazyCommand[],
): Promise<ExitCode> {
  if (name === undefined) return print(host, await overviewHelp(commands, outColumns(host.terminal)));
  const command = findCommand(name, commands);
  if (command.error !== undefined) return printError(host, command.error);
  return printCommandHelp(command.value, await command.value.load(), host);
}

async function printCommandHelp(
  { summary }: LazyCommand,
  command: Command,
  host: ProcessContext,
): Promise<ExitCode> {
  const { commandHelpText } = await import("./help.ts");
  return print(host, commandHelpText(summary, command, textColumns(outColumns(host.terminal))));
}

async function overviewHelp(commands: readonly LazyCommand[], columns: number): Promise<string> {
  const { helpText } = await import("./help.ts");
  return helpText(commands, textColumns(columns));
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
async function printMissingCommand(
  { terminal }: ProcessContext,
  commands: readonly LazyCommand[],
): Promise<ExitCode> {
  terminal.err(await overviewHelp(commands, errColumns(terminal)));
  return exitCode.usage;
}

async function printError(
  { terminal }: ProcessContext,
  error: CommandError,
  report?: Report,
): Promise<ExitCode> {
  if (error.kind === "configuration" && report !== undefined) {
    const { reportFindings } = await import("./output/report.ts");
    reportFindings(report, error.diagnostics);
  }
  if (error.kind === "usage") terminal.err(usageText(error.message, error.help));
  return exitCode.usage;
}
