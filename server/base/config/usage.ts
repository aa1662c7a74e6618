import { envName, flagName, settingEntries } from "./names.ts";

/** The text of --help: every setting with its flag, or its variable where it has no flag. */
export function usage(): string {
  const lines = settingEntries().map(([key, { valueName, secret, help, fallback }]) => {
    const name =
      secret === true ? envName(key) : `--${flagName(key)}${valueName === undefined ? "" : ` ${valueName}`}`;
    const isSaid = help.includes("default:") || typeof fallback === "object" || fallback === undefined;
    return `  ${name.padEnd(38)} ${help}${isSaid ? "" : ` (default: ${fallback})`}`;
  });
  return `Usage: npm start -- [FLAGS]

${lines.join("\n")}
  ${"--config FILE".padEnd(38)} read settings by their names from this YAML or JSON file (default: platform.config.yaml)

A flag can also be a variable of the environment, --data-dir is DATA_DIR, or a key of the file, dataDir. A flag wins over the
environment, that over the file. What stands here in capitals is secret and has no flag.
`;
}
