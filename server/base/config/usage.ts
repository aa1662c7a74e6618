import { envName, flagName, settingEntries } from "./names.ts";

const lineMaxLength = 100;
const nameLength = 31;
const indent = " ".repeat(nameLength + 3);

export function usage(): string {
  const lines = settingEntries().map(([key, { valueName, secret, help, fallback }]) => {
    const name =
      secret === true ? envName(key) : `--${flagName(key)}${valueName === undefined ? "" : ` ${valueName}`}`;
    const hasDefaultText =
      help.includes("default:") || typeof fallback === "object" || fallback === undefined;
    return entry(name, `${help}${hasDefaultText ? "" : ` (default: ${fallback})`}`);
  });
  return `Usage: platform [FLAGS]

${lines.join("\n")}
${entry("--config FILE", "read settings from this YAML or JSON file (default: platform.config.yaml)")}

Each flag can also be set as an environment variable or as a key of the file: --data-dir is
DATA_DIR and dataDir. Flags override the environment, which overrides the file. Names in capitals
are secret settings, which have no flag.

Run "npx platform help" for the commands of operators.
`;
}

/** A long name has a line of its own. */
function entry(name: string, help: string): string {
  const [first = "", ...more] = wrapped(help, lineMaxLength - indent.length);
  const head = name.length <= nameLength ? `${name.padEnd(nameLength)} ` : `${name}\n${indent}`;
  return `  ${head}${[first, ...more.map((line) => indent + line)].join("\n")}`;
}

function wrapped(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= columns) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
