import { envName, flagName, settingEntries } from "../../server/base/config/names.ts";

/** Returns the expected content of `docs/settings.md`. */
export function settingsPage(): string {
  const rows = settingEntries().map(([key, { secret, values = "", fallback, help }]) => {
    const flag = secret === true ? "" : `\`--${flagName(key)}\``;
    const names = `\`${key}\` | ${flag} | \`${envName(key)}\``;
    const link = key === "networkDetails" ? "; see [its keys](platform.md#networks-and-swaps)" : "";
    return `| ${names} | ${help.replaceAll("|", "\\|")}${link} | ${values} | ${defaultText(fallback)} |`;
  });
  return `${head}${rows.join("\n")}\n`;
}

function defaultText(fallback: unknown): string {
  const isNone = fallback === undefined || (Array.isArray(fallback) && fallback.length === 0);
  return isNone ? "" : `\`${Array.isArray(fallback) ? fallback.join(",") : fallback}\``;
}

const head = `# Settings of the host

Set each setting as a flag, as an environment variable, or as a key of \`platform.config.yaml\` (\`--config\` selects another file). Flags
override the environment, which overrides the file. Secrets have no flag, because every user of a machine can read the arguments of
its processes. If a flag or a key of the file is unknown, or a value is invalid, the host does not start, and reports all such mistakes. Unknown
environment variables are ignored, because other programs have variables too.

| key | flag | variable | description | values | default |
|---|---|---|---|---|---|
`;
