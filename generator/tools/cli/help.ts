import type { Command } from "./command.ts";
import { commonOptions, kebab, type OptionTable } from "./options.ts";

export function helpText(commands: readonly Command[]): string {
  const [first] = commands;
  return page([
    "Usage: ridlkit <command> [options] [FILE]",
    section(
      "Commands",
      rows([
        ...commands.map((command) => [command.name, command.summary] as const),
        ["help VERB", "explain a command"],
      ]),
    ),
    section("Options of every command", optionRows(commonOptions)),
    configurationText,
    exitCodeText,
    section("Examples", exampleRows(commands.flatMap(({ examples }) => examples.slice(0, 2)))),
    first === undefined ? "" : `More: ridlkit help ${first.name}`,
  ]);
}

export function commandHelpText(command: Command): string {
  return page([
    `Usage: ridlkit ${command.name} ${command.usage}`,
    command.description,
    section("Options", optionRows(command.options)),
    section("Options of every command", optionRows(commonOptions)),
    section("Examples", exampleRows(command.examples)),
  ]);
}

const configurationText = `Configuration
  ridlkit.config.{ts,js,mjs,json,yaml,yml} or the key "ridlkit" of package.json, in the working
  directory only. A flag goes before the environment (RIDLKIT_CONFIG, RIDLKIT_FORMAT, RIDLKIT_STRICT,
  WEBRPC_SCHEMA_VERSION, NO_COLOR, FORCE_COLOR), and that before the file. Options are read with one
  dash or two, in kebab-case or camelCase.`;

const exitCodeText = `Exit code
  0 fine, 1 the schema has faults, 2 the command or the configuration is wrong, 3 a fault of ridlkit`;

function page(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${title}\n${lines.join("\n")}`;
}

function optionRows(table: OptionTable): string[] {
  return rows(
    Object.entries(table).map(([name, { value, description }]) => {
      const typed = `--${kebab(name)}`;
      return [value === undefined ? typed : `${typed} ${value}`, description] as const;
    }),
  );
}

function exampleRows(examples: Command["examples"]): string[] {
  return rows(examples.map(({ command, description }) => [command, description] as const));
}

function rows(pairs: readonly (readonly [left: string, right: string])[]): string[] {
  const width = Math.max(0, ...pairs.map(([left]) => left.length));
  return pairs.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
