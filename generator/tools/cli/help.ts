import type { Command } from "./command.ts";
import { commonOptions, kebab, type OptionTable } from "./options.ts";

/** The output of `ridlkit help`. */
export function helpText(commands: readonly Command[]): string {
  const [first] = commands;
  return page([
    "Compile RIDL and YAML schemas to TypeScript clients and servers.",
    "Usage: ridlkit <command> [options] [FILE]",
    section(
      "Commands",
      rows([
        ...commands.map((command) => [command.name, command.summary] as const),
        ["help <command>", "Show the help of a command"],
      ]),
    ),
    section("Common options", optionRows(commonOptions)),
    configurationText,
    exitCodeText,
    section("Examples", exampleRows(commands.flatMap(({ examples }) => examples.slice(0, 2)))),
    first === undefined ? "" : `Run "ridlkit help ${first.name}" for the options of a command.`,
  ]);
}

/** The output of `ridlkit help COMMAND`. */
export function commandHelpText(command: Command): string {
  return page([
    `${command.summary}.`,
    `Usage: ridlkit ${command.name} ${command.usage}`,
    command.description,
    section("Options", optionRows(command.options)),
    section("Common options", optionRows(commonOptions)),
    section("Examples", exampleRows(command.examples)),
  ]);
}

const configurationText = `Configuration:
  ridlkit reads ridlkit.config.{ts,js,mjs,json,yaml,yml}, or the key "ridlkit" of package.json, from
  the working directory. Flags override environment variables (RIDLKIT_CONFIG, RIDLKIT_FORMAT,
  RIDLKIT_STRICT, WEBRPC_SCHEMA_VERSION, NO_COLOR, FORCE_COLOR), which override the file.
  Options take one dash or two, in kebab-case or camelCase. -h, -o and -q are short for --help,
  --out and --quiet.`;

const exitCodeText = `Exit codes:
  0  Success
  1  The command found errors
  2  Invalid command line or configuration, or output that could not be written
  3  Internal error in ridlkit
  4  No usable response from a server, from "call"`;

function page(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${title}:\n${lines.join("\n")}`;
}

function optionRows(table: OptionTable): string[] {
  return rows(
    Object.entries(table).map(([name, { value, description, short }]) => {
      const typed = `${short === undefined ? "" : `-${short}, `}--${kebab(name)}`;
      return [value === undefined ? typed : `${typed} ${value}`, description] as const;
    }),
  );
}

function exampleRows(examples: Command["examples"]): string[] {
  return rows(examples.map(({ command, description }) => [command, description] as const));
}

/** Aligns two columns. The right one may have several lines. */
function rows(pairs: readonly (readonly [left: string, right: string])[]): string[] {
  const width = Math.max(0, ...pairs.map(([left]) => left.length));
  return pairs.flatMap(([left, right]) =>
    right.split("\n").map((line, index) => `  ${(index === 0 ? left : "").padEnd(width)}  ${line}`),
  );
}
