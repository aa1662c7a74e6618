import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { envName, flagName, settingEntries } from "../../server/base/config/read.ts";
import { readConfig } from "../../server/host/read-config.ts";
import { blocksOf, pages, withGenerated } from "../support/docs.ts";

// After a change to the settings: npx vitest run test/docs/settings.test.ts --update
test("docs/platform/settings.md lists every setting", async () => {
  const rows = settingEntries().map(([key, { secret, values = "", fallback, help }]) => {
    const flag = secret === true ? "" : `\`--${flagName(key)}\``;
    const names = `\`${key}\` | ${flag} | \`${envName(key)}\``;
    const link = key === "networkDetails" ? "; see [its keys](running.md#networks-and-swaps)" : "";
    return `| ${names} | ${help.replaceAll("|", "\\|")}${link} | ${values} | ${defaultText(fallback)} |`;
  });
  const head = ["| key | flag | variable | description | values | default |", "|---|---|---|---|---|---|"];
  await expect(withGenerated("docs/platform/settings.md", [...head, ...rows].join("\n"))).toMatchFileSnapshot(
    "../../docs/platform/settings.md",
  );
});

const folder = mkdtempSync(join(tmpdir(), "ridlkit-settings-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const files = pages()
  .flatMap(blocksOf)
  .filter(({ text }) => /^# platform[.]config[.]yaml|^{[^[]*"networkDetails"/.test(text));

test("there are configurations of the host in the docs", () => {
  expect(files.length).toBeGreaterThan(5);
});

test.each(files)("the host takes the configuration at $page:$line", async ({ text }) => {
  const path = join(folder, "platform.config.yaml");
  writeFileSync(path, text);
  const env = {
    DATABASE_URL: "postgres://db.example/platform",
    SIGNING_KEY: "0123456789abcdef".repeat(4),
    ...(text.includes("rpcUrls") ? {} : { RPC_URLS: "polygon=https://a.example" }),
  };
  const read = await readConfig(["--config", path], env);
  expect(read).toMatchObject({ config: {} });
});

function defaultText(fallback: unknown): string {
  const isNone = fallback === undefined || (Array.isArray(fallback) && fallback.length === 0);
  return isNone ? "" : `\`${Array.isArray(fallback) ? fallback.join(",") : fallback}\``;
}
