import type { Command } from "./command.ts";
import { commands } from "./commands/index.ts";

export function overview(): string {
  const lines = commands.map((command) => `  ${usageOf(command).padEnd(36)} ${command.help}`);
  return `Usage: platform <command> [--format table|json]
       platform [settings]        runs a host; platform --help lists its settings

${lines.join("\n")}

Commands work while a host is running. They find its database like the host: by DATABASE_URL, or in --data-dir (./.data).
For the options of a command: platform <command> --help
`;
}

export function helpOf(command: Command): string {
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
