import { envName, flagName, settingEntries } from "./names.ts";

export function usage(): string {
  const lines = settingEntries().map(([key, { valueName, secret, help, fallback }]) => {
    const name =
      secret === true ? envName(key) : `--${flagName(key)}${valueName === undefined ? "" : ` ${valueName}`}`;
    const hasDefaultText =
      help.includes("default:") || typeof fallback === "object" || fallback === undefined;
    return `  ${name.padEnd(38)} ${help}${hasDefaultText ? "" : ` (default: ${fallback})`}`;
  });
  return `Usage: npm start -- [FLAGS]

${lines.join("\n")}
  ${"--config FILE".padEnd(38)} read settings from this YAML or JSON file (default: platform.config.yaml)

Each flag can also be set as an environment variable or as a key of the file: --data-dir is DATA_DIR and dataDir. Flags override
the environment, which overrides the file. Names in capitals are secret settings, which have no flag.

Run "npx platform help" for the commands of operators.
`;
}
