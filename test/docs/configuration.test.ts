import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SourceFile } from "../../generator/language/source/source-file.ts";
import { checkConfig } from "../../generator/tools/config/check.ts";
import { parseJsonConfig } from "../../generator/tools/config/parse.ts";
import { blocksOf, root, withGenerated } from "../support/docs.ts";

// After a change to the configuration: npx vitest run test/docs/configuration.test.ts --update
test("docs/configuration.md has every key of the configuration", async () => {
  const text = readFileSync(join(root, "generator/tools/config/config.ts"), "utf8");
  const shapes = text.slice(0, text.indexOf("/**\n * Types a configuration")).trim();
  const page = withGenerated("docs/configuration.md", `\`\`\`typescript\n${shapes}\n\`\`\``);
  await expect(page).toMatchFileSnapshot("../../docs/configuration.md");
});

test("its example is taken", () => {
  const example = blocksOf("docs/configuration.md").find(({ language }) => language === "json");
  const { config } = parseJsonConfig(new SourceFile("ridlkit.config.json", example?.text ?? ""));
  if (config === undefined) throw new Error("it is no JSON");
  expect(checkConfig(config).diagnostics).toEqual([]);
});
