import { suggest } from "../../../generator/language/diagnostics/suggest.ts";
import { visible, visibleJson, visibleLines } from "../../../generator/language/diagnostics/visible.ts";
import { readCommandLine } from "../../base/config/command-line.ts";
import { readSettings } from "../../base/config/read.ts";
import { StartFault } from "../../base/start-fault.ts";
import { databaseErrorText } from "../../base/storage/fault.ts";
import { openForCommand, type SchemaUse } from "../../base/storage/open-storage.ts";
import { hideUrlSecrets } from "../../base/url-secrets.ts";
import { faultOfDataFolder } from "../data-folder.ts";
import {
  type AuditedCommand,
  actorOf,
  type EndRecord,
  idsOf,
  isAudited,
  startRecord,
} from "./audit-record.ts";
import {
  type AdminContext,
  AdminFault,
  type AdminStreams,
  type Command,
  type Input,
  type Output,
  type Row,
  spaced,
  UsageFault,
} from "./command.ts";
import { commands } from "./commands/index.ts";

export interface AdminResult {
  readonly out: string;
  readonly err: string;
  /** 0: done. 1: failed or partly rejected. 2: wrong usage. */
  readonly code: 0 | 1 | 2;
}

/** Runs one command: `["keys", "list", "1001"]`. */
export async function runAdmin(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  streams: AdminStreams = process,
): Promise<AdminResult> {
  const [noun = "", verb = ""] = argv;
  if (noun === "help") return { out: overview(), err: "", code: 0 };
  const command = commands.find(({ name }) => name === noun || name === `${noun} ${verb}`);
  if (command === undefined)
    return verb === "--help" ? helpOfNoun(noun) : usageFault(unknownCommand(noun, verb));
  const read = readInput(command, argv.slice(command.name.split(" ").length));
  if ("fault" in read) return usageFault(withHint(read.fault, `see: platform ${command.name} --help`));
  if (read.isHelp) return { out: helpOf(command), err: "", code: 0 };
  const { "data-dir": dataDir, config: file } = read.settings;
  const settings = await readSettings({ "data-dir": dataDir, config: file }, env);
  if (settings.faults.length > 0) return usageFault(settings.faults.join("\nplatform: "));
  const record = isAudited(command, read.input) ? auditedCommand(command, read.input, env) : undefined;
  const schema = schemaUseOf(command, settings.config);
  await using opened = new CommandContext(settings.config, { streams, record, schema });
  try {
    const output = await command.run(opened, read.input);
    const code = "record" in output && output.isIncomplete === true ? 1 : 0;
    // The change is made, whether or not its end can be recorded.
    await opened.ended(code === 0 ? "done" : "partly rejected", idsOf(output)).catch(() => {});
    if ("isWritten" in output) return { out: "", err: "", code: 0 };
    return { out: read.isJson ? printJson(output) : printTable(output), err: "", code };
  } catch (err) {
    const reason = err instanceof AdminFault ? err.message : err instanceof Error ? err.name : typeof err;
    // The database may be what failed.
    await opened.ended(`failed: ${reason}`, []).catch(() => {});
    if (err instanceof UsageFault) return usageFault(err.message);
    if (err instanceof AdminFault || err instanceof StartFault)
      return { out: "", err: prefixed(err.message), code: 1 };
    const text = databaseErrorText(err) ?? faultOfDataFolder(err, settings.config.dataDir)?.message;
    const isDebug = settings.config.logLevel === "debug";
    return { out: "", err: prefixed(text ?? internalErrorText(command.name, err, isDebug)), code: 1 };
  }
}

/** A command migrates the database of this machine only, or one that hosts migrate when they start. */
function schemaUseOf(
  { isForAnyVersion }: Command,
  { migrate, databaseUrl }: AdminContext["config"],
): SchemaUse {
  if (isForAnyVersion === true) return "unchecked";
  return (migrate ?? databaseUrl === undefined) ? "migrate" : "require";
}

interface ContextOptions {
  readonly streams: AdminStreams;
  /** What to record: before the command changes anything, or after it if the table of records may not exist. */
  readonly record: AuditedCommand | undefined;
  readonly schema: SchemaUse;
}

/** The message for a bug, in one line. The log level debug adds the stack. */
function internalErrorText(name: string, err: unknown, isDebug: boolean): string {
  const message = hideUrlSecrets(err instanceof Error ? err.message : String(err));
  const line = `${name} failed: internal error: ${message.replace(/[\s\p{Cc}]+/gu, " ").trim()}`;
  return isDebug && err instanceof Error
    ? `${line}\n${hideUrlSecrets(err.stack ?? "")}`
    : `${line}; for the stack, set LOG_LEVEL=debug`;
}

/** Opens the database when a command first needs it, records the command, and closes the database after it. */
class CommandContext implements AdminContext, AsyncDisposable {
  readonly config: AdminContext["config"];
  readonly streams: AdminStreams;
  readonly #record: AuditedCommand | undefined;
  readonly #schema: SchemaUse;
  #end: EndRecord | undefined;
  #database: ReturnType<AdminContext["database"]> | undefined;

  constructor(config: AdminContext["config"], { streams, record, schema }: ContextOptions) {
    this.config = config;
    this.streams = streams;
    this.#record = record;
    this.#schema = schema;
  }

  readonly ended: EndRecord = async (outcome, ids) => this.#end?.(outcome, ids);

  readonly database: AdminContext["database"] = () => {
    const log = (line: string): void => void this.streams.stderr.write(prefixed(line));
    this.#database ??= this.#open(log);
    return this.#database;
  };

  async #open(log: (line: string) => void): ReturnType<AdminContext["database"]> {
    const database = await openForCommand(this.config, {
      log: { info: log, warn: log, error: log },
      schema: this.#schema,
    });
    const record = this.#record;
    if (record === undefined) return database;
    this.#end =
      this.#schema === "unchecked"
        ? async (...end) => (await startRecord(database, record))(...end)
        : await startRecord(database, record);
    return database;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const database = await this.#database?.catch(() => undefined);
    await database?.[Symbol.asyncDispose]();
  }
}

function auditedCommand(
  { name, isPersonal = false }: Command,
  { positionals, options }: Input,
  env: NodeJS.ProcessEnv,
): AuditedCommand {
  const given = Object.entries(options).flatMap(([name, values]) =>
    values.map((value) => `--${name}=${value}`),
  );
  return { actor: actorOf(env), command: name, args: isPersonal ? [] : [...positionals, ...given] };
}

function prefixed(text: string): string {
  return `platform: ${visibleLines(text)}\n`;
}

function usageFault(text: string): AdminResult {
  return { out: "", err: prefixed(text), code: 2 };
}

function helpOfNoun(noun: string): AdminResult {
  const own = commands.filter(({ name }) => name.startsWith(`${noun} `));
  return own.length === 0
    ? usageFault(unknownCommand(noun, ""))
    : { out: own.map(helpOf).join("\n"), err: "", code: 0 };
}

function unknownCommand(noun: string, verb: string): string {
  const nouns = [...new Set(commands.map(({ name }) => name.split(" ")[0] ?? ""))];
  if (!nouns.includes(noun))
    return withHint(`unknown command "${noun}"${suggestion(noun, nouns)}`, "see: platform help");
  const verbs = commands
    .filter(({ name }) => name.startsWith(`${noun} `))
    .map(({ name }) => name.split(" ")[1] ?? "");
  const list = `platform ${noun} ${verbs.join("|")}`;
  if (verb === "" || verb.startsWith("-")) return `${noun}: a command is missing; use: ${list}`;
  return withHint(`unknown command "${noun} ${verb}"${suggestion(verb, verbs)}`, `use: ${list}`);
}

/** Appends what to do: as a new sentence after a question. */
function withHint(fault: string, hint: string): string {
  return fault.endsWith("?") ? `${fault} ${hint[0]?.toUpperCase()}${hint.slice(1)}` : `${fault}; ${hint}`;
}

function suggestion(word: string, candidates: readonly string[]): string {
  const near = suggest(word, candidates);
  return near === undefined ? "" : `; did you mean "${near}"?`;
}

type ReadInput =
  | { readonly fault: string }
  | {
      readonly input: Input;
      readonly isHelp: boolean;
      readonly isJson: boolean;
      readonly settings: Readonly<Record<string, string | undefined>>;
    };

function readInput(command: Command, args: readonly string[]): ReadInput {
  const own = Object.entries(command.options ?? {}).map(
    ([name, { isSwitch }]) => [name, isSwitch === true ? "switch" : "text"] as const,
  );
  const { options, words, faults } = readCommandLine(args, {
    ...Object.fromEntries(own),
    format: "text",
    "data-dir": "text",
    config: "text",
    help: "switch",
  });
  const { help, format, "data-dir": dataDir, config, ...rest } = options as Input["options"];
  const form = format?.at(-1) ?? "table";
  const isHelp = help !== undefined;
  const [fault] = [
    ...faults,
    ...(form === "table" || form === "json" ? [] : [`--format: expected table or json, found "${form}"`]),
    ...(isHelp ? [] : faultsOfPositionals(command, words)),
  ];
  if (fault !== undefined) return { fault };
  return {
    input: { positionals: words, options: rest },
    isHelp,
    isJson: form === "json",
    settings: { "data-dir": dataDir?.at(-1), config: config?.at(-1) },
  };
}

function faultsOfPositionals({ positionals: wanted }: Command, given: readonly string[]): readonly string[] {
  const missing = wanted.find((name, index) => !name.startsWith("[") && (given[index] ?? "").trim() === "");
  if (missing !== undefined) return [`${missing} is missing`];
  return given.slice(wanted.length).map((surplus) => `unexpected argument "${surplus}"`);
}

function overview(): string {
  const lines = commands.map((command) => `  ${usageOf(command).padEnd(36)} ${command.help}`);
  return `Usage: platform <command> [--format table|json]
       platform [settings]        runs a host; platform --help lists its settings

${lines.join("\n")}

Commands work while a host is running. They find its database like the host: by DATABASE_URL, or in --data-dir (./.data).
For the options of a command: platform <command> --help
`;
}

function helpOf(command: Command): string {
  const options = Object.entries(command.options ?? {}).map(
    ([name, { valueName, help, isList }]) =>
      `  ${`--${name} ${valueName}`.trimEnd().padEnd(24)} ${help}${isList === true ? "; may be given several times" : ""}`,
  );
  return `Usage: platform ${usageOf(command)}${options.length === 0 ? "" : " [options]"}

${command.help[0]?.toUpperCase()}${command.help.slice(1)}.

${[...options, ...commonOptions].join("\n")}
${command.details === undefined ? "" : `\n${command.details}\n`}`;
}

const commonOptions = [
  `  ${"--format table|json".padEnd(24)} output format (default: table)`,
  `  ${"--data-dir FOLDER".padEnd(24)} the host's data folder (default: ./.data)`,
  `  ${"--config FILE".padEnd(24)} the host's configuration file (default: platform.config.yaml)`,
];

function usageOf({ name, positionals }: Command): string {
  return [name, ...positionals].join(" ");
}

type Printed = Exclude<Output, { readonly isWritten: true }>;

/** Prints an object or a list of objects, for programs. */
export function printJson(output: Printed): string {
  return `${visibleJson(JSON.stringify("record" in output ? output.record : output.list, null, 2))}\n`;
}

/** Prints columns for a list, and lines for one record, for people. */
export function printTable(output: Printed): string {
  const note = output.note === undefined ? "" : `\n${output.note}\n`;
  return `${"record" in output ? printRecord(output.record) : printList(output)}${note}`;
}

function printList({ list, ifEmpty = "none" }: Extract<Output, { readonly list: unknown }>): string {
  if (list.length === 0) return `${ifEmpty}\n`;
  const names = Object.keys(list[0] ?? {});
  const lines = [names.map(spaced), ...list.map((row) => names.map((name) => text(row[name])))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? "").length)));
  return lines
    .map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "))
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

function printRecord(row: Row): string {
  const width = Math.max(...Object.keys(row).map((name) => spaced(name).length));
  return Object.entries(row)
    .map(([name, value]) => `${spaced(name).padEnd(width)}  ${text(value)}`.trimEnd())
    .join("\n")
    .concat("\n");
}

function text(value: Row[string] | undefined): string {
  if (value === undefined || value === null) return "-";
  if (typeof value === "boolean") return value ? "yes" : "no";
  const shown = typeof value === "object" ? value.join(" ") : String(value);
  return shown === "" ? "-" : visible(shown);
}
