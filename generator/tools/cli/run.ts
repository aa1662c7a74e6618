import { statSync } from "node:fs";
import { resolve } from "node:path";
import { suggest } from "../../language/diagnostics/suggest.ts";
import { parseArgs } from "./args.ts";
import { findConfig } from "./config/config-file.ts";
import { chooseSchemas, type Schema } from "./config/schemas.ts";
import { isDropIn } from "./drop-in/flags.ts";
import { type Environment, readEnvironment, wantsColour } from "./environment.ts";
import { type ExitCode, exitCode } from "./exit-code.ts";
import { fileReader } from "./files/reader.ts";
import type { Host } from "./host.ts";
import { type CommonValues, commonOptions, kebab, type OptionTable, type SchemaValues } from "./options.ts";
import type { Report } from "./output/report.ts";
import { type Attempt, didYouMean, type Refusal, refuseUsage, usageText } from "./refusal.ts";
import type { LazyVerb, Verb } from "./verb.ts";

/** One run of the program, from the words of its command line to its exit code. Throws only where we are at fault. */
export async function run(
  argv: readonly string[],
  host: Host,
  verbs: readonly LazyVerb[],
): Promise<ExitCode> {
  if (isDropIn(argv)) return (await import("./drop-in/command.ts")).runDropIn(argv, host);
  const head = parseArgs(argv, topOptions, { help: "ridlkit help", stopAtWord: true });
  if (head.refusal !== undefined) return refuse(host, head.refusal);
  const { values, rest } = head.value;
  const [name, ...words] = rest;
  if (values.version) return print(host, `${host.version}\n`);
  if (name === undefined) return values.help ? help(undefined, host, verbs) : refuseSilence(host, verbs);
  if (name === "help") return help(words[0], host, verbs);
  const verb = findVerb(name, verbs);
  if (verb.refusal !== undefined) return refuse(host, verb.refusal);
  return runVerb({ verb: await verb.value.load(), words, before: values }, host);
}

const topOptions = {
  ...commonOptions,
  version: { kind: "flag", says: "print the version" },
} as const satisfies OptionTable;

interface Command {
  readonly verb: Verb;
  /** What stands after the verb. */
  readonly words: readonly string[];
  /** Options that stand before it. */
  readonly before: CommonValues;
}

async function runVerb({ verb, words, before }: Command, host: Host): Promise<ExitCode> {
  const args = parseArgs(words, { ...commonOptions, ...verb.options }, { help: `ridlkit help ${verb.name}` });
  if (args.refusal !== undefined) return refuse(host, args.refusal);
  const options = { ...before, ...args.value.values } as CommonValues & SchemaValues;
  if (options.help) return print(host, (await import("./help.ts")).verbHelpText(verb));
  const environment = readEnvironment(host);
  if (environment.refusal !== undefined) return refuse(host, environment.refusal);
  const task: Task = { verb, options, files: args.value.rest, environment: environment.value };
  const report = reportOf(task, host);
  const cwd = resolve(host.cwd, options.cwd ?? ".");
  const schemas = refusedEarly(task, cwd) ?? (await schemasOf(task, cwd));
  if (schemas.refusal !== undefined) return refuse(host, schemas.refusal, report);
  if (verb.isEndedByOthers) host.mayEnd?.();
  return verb.run({
    options,
    schemas: schemas.value,
    words: task.files,
    reader: fileReader(cwd),
    readAgain: () => schemasOf(task, cwd),
    cwd,
    terminal: host.terminal,
    report,
  });
}

interface Task {
  readonly verb: Verb;
  readonly options: CommonValues & SchemaValues;
  readonly files: readonly string[];
  readonly environment: Environment;
}

function reportOf({ verb, options, environment }: Task, host: Host): Report {
  return {
    terminal: host.terminal,
    format: options.format ?? environment.format ?? "text",
    quiet: options.quiet ?? false,
    colour: wantsColour(host, options.color),
    documentOn: verb.documentOn,
    version: host.version,
  };
}

/** What is wrong before any file is looked at. */
function refusedEarly({ verb, options }: Task, cwd: string): { readonly refusal: Refusal } | undefined {
  const isDirectory = statSync(cwd, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isDirectory) return refuseUsage(`There is no directory "${options.cwd ?? cwd}".`);
  const given: Readonly<Record<string, unknown>> = options;
  const pair = verb.exclusive.find((names) => names.every((name) => isGiven(given[name])));
  if (pair === undefined) return undefined;
  const [first, second] = pair.map((name) => `--${kebab(name)}`);
  return refuseUsage(`${first} and ${second} exclude each other.`, `ridlkit help ${verb.name}`);
}

/** An empty list of annotations, as `--match=$UNSET` leaves, is none. */
function isGiven(value: unknown): boolean {
  return value instanceof Map ? value.size > 0 : value !== undefined;
}

async function schemasOf(task: Task, cwd: string): Promise<Attempt<readonly Schema[]>> {
  const { verb, options, files, environment } = task;
  if (verb.readsSchemas === false) return { value: [] };
  const wanted = options.config ?? environment.config;
  const found = await findConfig({ cwd, reader: fileReader(cwd), wanted });
  if (found.refusal !== undefined) return found;
  return chooseSchemas({
    verb: verb.name,
    several: verb.several,
    wantsHandlers: verb.wantsHandlers === true,
    files: verb.takesNames ? [] : files,
    options,
    environment,
    found: found.value,
  });
}

async function help(name: string | undefined, host: Host, verbs: readonly LazyVerb[]): Promise<ExitCode> {
  if (name === undefined) return print(host, await helpOfAll(verbs));
  const verb = findVerb(name, verbs);
  if (verb.refusal !== undefined) return refuse(host, verb.refusal);
  const { verbHelpText } = await import("./help.ts");
  return print(host, verbHelpText(await verb.value.load()));
}

async function helpOfAll(verbs: readonly LazyVerb[]): Promise<string> {
  const { helpText } = await import("./help.ts");
  return helpText(await Promise.all(verbs.map((verb) => verb.load())));
}

function findVerb(name: string, verbs: readonly LazyVerb[]): Attempt<LazyVerb> {
  const verb = verbs.find((each) => each.name === name);
  if (verb !== undefined) return { value: verb };
  const near = suggest(name, [...verbs.map((each) => each.name), "help"]);
  const hint = didYouMean(near) || ` There are ${verbs.map((each) => each.name).join(", ")} and help.`;
  return refuseUsage(`There is no verb "${name}".${hint}`);
}

function print({ terminal }: Host, text: string): ExitCode {
  terminal.out(text);
  return exitCode.ok;
}

/** Whoever names no verb has made a mistake, and a script should notice; the help says what to do. */
async function refuseSilence({ terminal }: Host, verbs: readonly LazyVerb[]): Promise<ExitCode> {
  terminal.err(await helpOfAll(verbs));
  return exitCode.usage;
}

async function refuse({ terminal }: Host, refusal: Refusal, report?: Report): Promise<ExitCode> {
  if (refusal.kind === "configuration" && report !== undefined) {
    const { reportFindings } = await import("./output/report.ts");
    await reportFindings(report, refusal.diagnostics);
  }
  if (refusal.kind === "usage") terminal.err(usageText(refusal.message, refusal.help));
  return exitCode.usage;
}
