import { resolve } from "node:path";
import { readIr } from "../../../language/ir/read.ts";
import { load, readSource } from "../../../language/load.ts";
import type { SourceReader } from "../../../language/source/reader.ts";
import type { Declaration } from "../../../language/syntax/tree.ts";
import { fullName, type MethodName } from "../call/contract.ts";
import type { Command, LazyCommand } from "../command.ts";
import { completionScripts } from "../commands/completion.ts";
import { historyActions } from "../commands/history.ts";
import { findConfig } from "../config/config-file.ts";
import { chooseSchemas, type Schema } from "../config/schemas.ts";
import { fileReader } from "../files/reader.ts";
import {
  type CommonValues,
  commonOptions,
  formats,
  kebab,
  type OptionTable,
  parseArgs,
  type SchemaValues,
} from "../options.ts";
import { environmentVariable, type ProcessContext } from "../process-context.ts";

/** A word that may follow, and its description. */
export type Candidate = readonly [word: string, description?: string];

/** Returns the candidates for the last of these words, which may be empty. None: files are the only candidates. */
export async function complete(
  words: readonly string[],
  host: ProcessContext,
  commands: readonly LazyCommand[],
): Promise<readonly Candidate[]> {
  const typed = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const candidates = await candidatesFor(before, typed, host, commands);
  return candidates.filter(([word]) => word.startsWith(typed) && /^[\w./-]+$/.test(word));
}

async function candidatesFor(
  before: readonly string[],
  typed: string,
  host: ProcessContext,
  commands: readonly LazyCommand[],
): Promise<readonly Candidate[]> {
  const head = parseArgs(before, commonOptions, { helpCommand: "", stopAtPositional: true });
  const [name, ...rest] = head.value?.positionals ?? [];
  if (name === undefined) {
    if (typed.startsWith("-")) return optionNames(commonOptions);
    return valuesOf(before, commonOptions) ?? commandNames(commands);
  }
  if (name === "help") return commandNames(commands);
  if (name === "completion") return Object.keys(completionScripts).map((shell) => [shell]);
  const command = await commands.find((one) => one.name === name)?.load();
  if (command === undefined) return [];
  const table: OptionTable = { ...commonOptions, ...command.options };
  if (typed.startsWith("-")) return optionNames(table);
  const ofOption = valuesOf(rest, table);
  if (ofOption !== undefined) return ofOption;
  const args = parseArgs(rest, table, { helpCommand: "" });
  if (args.value === undefined || args.value.positionals.length > 0) return [];
  if (name === "history") return historyActions.map((action) => [action]);
  if (name !== "call") return [];
  const options = { ...head.value?.values, ...args.value.values } as CommonValues & SchemaValues;
  return methodNames(await methodsOf(command, options, host), typed);
}

function commandNames(commands: readonly LazyCommand[]): readonly Candidate[] {
  return [
    ...commands.map(({ name, summary }) => [name, summary] as const),
    ["help", "Show the help of a command"],
  ];
}

function optionNames(table: OptionTable): readonly Candidate[] {
  return Object.entries(table).map(([name, { description }]) => [`--${kebab(name)}`, description]);
}

/** Returns the values of the option before the cursor. Undefined if there is none that takes a value. */
function valuesOf(words: readonly string[], table: OptionTable): readonly Candidate[] | undefined {
  const last = words.at(-1) ?? "";
  if (!last.startsWith("-") || last.includes("=")) return undefined;
  const typed = last.replace(/^--?/, "");
  const option = Object.entries(table).find(
    ([name, { short }]) => kebab(name) === typed || short === typed,
  )?.[1];
  if (option === undefined || option.kind === "flag") return undefined;
  return option.kind === "format" ? formats.map((format) => [format]) : [];
}

/** Full names, or names without their service if no full name starts with the typed word. */
function methodNames(methods: readonly MethodName[], typed: string): readonly Candidate[] {
  const full = methods.map(fullName);
  const names = full.some((name) => name.startsWith(typed)) ? full : methods.map(({ method }) => method);
  return names.map((name) => [name]);
}

async function methodsOf(
  command: Command,
  options: CommonValues & SchemaValues & { readonly schema?: string },
  host: ProcessContext,
): Promise<readonly MethodName[]> {
  const cwd = resolve(host.cwd, options.cwd ?? ".");
  const reader = fileReader(cwd);
  const requestedPath = options.config ?? environmentVariable(host, "RIDLKIT_CONFIG");
  const found = await findConfig({ cwd, reader, requestedPath });
  if (found.error !== undefined) return [];
  const chosen = chooseSchemas({
    command: command.name,
    takesSeveralSchemas: true,
    files: options.schema === undefined ? [] : [options.schema],
    options,
    environment: {},
    found: found.value,
  });
  return (chosen.value ?? []).flatMap((schema) => methodsIn(schema, reader));
}

/** Only reads names: completion must be quick, and a schema may have errors while it is edited. */
function methodsIn({ path, filter }: Schema, reader: SourceReader): readonly MethodName[] {
  const { services = [] } = filter;
  return declarationsOf(path, reader)
    .filter((one) => one.kind === "service")
    .filter(({ name }) => services.length === 0 || services.includes(name.value))
    .flatMap(({ name, methods }) =>
      methods.map((method) => ({ service: name.value, method: method.name.text })),
    );
}

function declarationsOf(path: string, reader: SourceReader): readonly Declaration[] {
  if (!path.endsWith(".json")) return load(path, reader).files.flatMap(({ file }) => file.declarations);
  const source = readSource(path, reader, { path });
  return "code" in source ? [] : (readIr(source.file).read?.file.declarations ?? []);
}
