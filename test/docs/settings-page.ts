import { envName, flagName, settingEntries } from "../../server/base/config/names.ts";

/** The page of the host's settings in Markdown, as `docs/settings.md` has to be. */
export function settingsPage(): string {
  const rows = settingEntries().map(([key, { secret, fallback, help }]) => {
    const flag = secret === true ? "" : `\`--${flagName(key)}\``;
    const names = `\`${key}\` | ${flag} | \`${envName(key)}\``;
    return `| ${names} | ${help.replaceAll("|", "\\|")} | ${told(fallback)} |`;
  });
  return `${head}${rows.join("\n")}\n`;
}

function told(fallback: unknown): string {
  const isNone = fallback === undefined || (Array.isArray(fallback) && fallback.length === 0);
  return isNone ? "" : `\`${Array.isArray(fallback) ? fallback.join(",") : fallback}\``;
}

const head = `# Settings of the host

Each setting is a key of \`platform.config.yaml\` (another file: \`--config\`), a variable of the environment and a flag. A flag wins
over the environment, and that over the file. Secrets have no flag: the arguments of a process can be read by everybody on its
machine. A name that is none of these and a value that cannot be are refused at the start, all at once.

| key | flag | variable | what it does | default |
|---|---|---|---|---|
`;
