import type { Paint } from "../../language/diagnostics/paint.ts";
import { wrapWords } from "../../language/diagnostics/wrap.ts";
import type { Command, LazyCommand } from "./command.ts";
import { commonOptions, kebab, type OptionTable } from "./options.ts";

/** How a page is printed: in lines of at most `columns` columns. */
export interface HelpStyle {
  readonly columns: number;
  readonly paint: Paint;
}

/** The output of `ridlkit help`. */
export function helpText(commands: readonly LazyCommand[], style: HelpStyle): string {
  const { columns } = style;
  const names = commands.map((command) => [command.name, command.summary] as const);
  return page([
    paragraph(summary, columns),
    paragraph(`Usage: ${usage}`, columns),
    section("Commands", rows([...names, ["help <command>", "Show the help of a command"]], style), style),
    section("Common options", optionRows(commonOptions, style), style),
    section(
      "Configuration",
      paragraph(configurationText, columns - 2).map((line) => `  ${line}`),
      style,
    ),
    section("Exit codes", rows(exitCodes, style), style),
    section("Examples", exampleRows(examples, style), style),
    paragraph('Run "ridlkit help generate" for the options and more examples of a command.', columns),
    paragraph('Options of webrpc-gen work, too: see "ridlkit -schema= -help".', columns),
  ]);
}

/** The output of `ridlkit help COMMAND`. */
export function commandHelpText(summary: string, command: Command, style: HelpStyle): string {
  const { columns } = style;
  return page([
    paragraph(`${summary}.`, columns),
    paragraph(`Usage: ridlkit ${command.name} ${command.usage}`, columns),
    ...command.description.split("\n\n").map((text) => paragraph(text, columns)),
    section("Options", optionRows(command.options, style), style),
    section("Common options", optionRows(commonOptions, style), style),
    section("Examples", exampleRows(command.examples, style), style),
  ]);
}

/** `helpText` as data. */
export function helpJson(commands: readonly LazyCommand[]): object {
  return {
    summary,
    usage,
    commands: commands.map(({ name, summary }) => ({ name, summary })),
    options: optionsJson(commonOptions),
    exitCodes: Object.fromEntries(exitCodes),
    examples,
  };
}

/** `commandHelpText` as data. */
export function commandHelpJson(summary: string, command: Command): object {
  const { name, usage, description, options, examples } = command;
  return {
    name,
    summary,
    usage: `ridlkit ${name} ${usage}`,
    description,
    options: optionsJson({ ...options, ...commonOptions }),
    examples,
  };
}

function optionsJson(table: OptionTable): readonly object[] {
  return Object.entries(table).map(([name, { kind, value, description, short }]) => ({
    name: `--${kebab(name)}`,
    kind,
    ...(short !== undefined && { short: `-${short}` }),
    ...(value !== undefined && { value }),
    description,
  }));
}

const summary = "Compile RIDL and YAML schemas to TypeScript clients and servers.";
const usage = "ridlkit <command> [options] [FILE]";

const configurationText = `ridlkit reads ridlkit.config.{ts,js,mjs,json,yaml,yml} from the working directory. Flags override environment variables (RIDLKIT_CONFIG, RIDLKIT_FORMAT,
RIDLKIT_STRICT, WEBRPC_SCHEMA_VERSION, NO_COLOR, FORCE_COLOR, FORCE_HYPERLINK), which override the
file. Options take one dash or two, in kebab-case or camelCase. -h, -o and -q are short for
--help, --out and --quiet. With --format json, help and errors of the command line are JSON, too:
{ ok, error: { message, help } }.`;

/** A first tour. Each command has more examples. */
const examples: Command["examples"] = [
  { command: "ridlkit init shop", description: "Create a project in the folder shop" },
  { command: "ridlkit dev", description: "Serve it, and reload after every edit" },
  { command: "ridlkit generate", description: "Generate all schemas" },
  { command: "ridlkit generate api.ridl --out src/api --target client", description: "Generate a client" },
  { command: "ridlkit test --url http://127.0.0.1:3000", description: "Test a running server" },
  { command: "ridlkit breaking --against main", description: "Find changes that break callers" },
];

const exitCodes = [
  ["0", "Success"],
  ["1", "The command found errors"],
  ["2", "Invalid command line or configuration, or output that could not be written"],
  ["3", "Internal error in ridlkit"],
  ["4", 'No usable response from a server, from "call"'],
] as const;

/** Joins parts, each a list of lines, with an empty line between them. */
function page(parts: readonly (readonly string[])[]): string {
  const shown = parts.filter((lines) => lines.length > 0);
  return `${shown.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function section(title: string, lines: readonly string[], { paint }: HelpStyle): readonly string[] {
  return lines.length === 0 ? [] : [paint.strong(`${title}:`), ...lines];
}

function optionRows(table: OptionTable, style: HelpStyle): string[] {
  const pairs = Object.entries(table).map(([name, { value, description, short }]) => {
    const typed = `${short === undefined ? "" : `-${short}, `}--${kebab(name)}`;
    return [value === undefined ? typed : `${typed} ${value}`, description] as const;
  });
  return rows(pairs, style);
}

function exampleRows(examples: Command["examples"], style: HelpStyle): string[] {
  return rows(
    examples.map(({ command, description }) => [command, description] as const),
    style,
  );
}

/** Least width of the right column. In narrower terminals, it is put below the left one. */
const minRightColumns = 24;

/** Aligns two columns. The right one may have several lines. */
function rows(
  pairs: readonly (readonly [left: string, right: string])[],
  { columns, paint }: HelpStyle,
): string[] {
  const width = Math.max(0, ...pairs.map(([left]) => left.length));
  const isStacked = columns - width - 4 < minRightColumns;
  const indent = isStacked ? 6 : width + 4;
  return pairs.flatMap(([left, right]) => {
    const lines = right
      .split("\n")
      .flatMap((line) => wrapWords(line, columns - indent))
      .map((line) => `${" ".repeat(indent)}${line}`);
    const shown = `  ${paint.frame(left)}`;
    return isStacked
      ? [shown, ...lines]
      : lines.map((line, index) => (index === 0 ? shown + line.slice(left.length + 2) : line));
  });
}

/** Wraps a text that is wider than `columns`. Lines with indentation stay apart; others are filled up. */
function paragraph(text: string, columns: number): readonly string[] {
  const given = text.split("\n");
  if (given.every((line) => line.length <= columns)) return given;
  const lines: string[] = [];
  for (const line of given) {
    const last = lines.at(-1);
    if (last === undefined || last.startsWith(" ") || line.startsWith(" ")) lines.push(line);
    else lines[lines.length - 1] = `${last} ${line}`;
  }
  return lines.flatMap((line) => {
    const indent = " ".repeat(line.length - line.trimStart().length);
    return wrapWords(line.trimStart(), columns - indent.length).map((part) => indent + part);
  });
}
