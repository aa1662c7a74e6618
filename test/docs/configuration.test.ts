import { expect, test } from "vitest";
import { SourceFile } from "../../generator/language/source/source-file.ts";
import { checkConfig } from "../../generator/tools/config/check.ts";
import { parseJsonConfig } from "../../generator/tools/config/parse.ts";
import { blocksOf } from "../support/docs.ts";
import { configurationPage } from "./configuration-page.ts";

// After a change to the configuration: npx vitest run test/docs/configuration.test.ts --update
test("docs/configuration.md has every key of the configuration", async () => {
  await expect(configurationPage()).toMatchFileSnapshot("../../docs/configuration.md");
});

test("its example is taken", () => {
  const example = blocksOf("docs/configuration.md").find(({ language }) => language === "json");
  const { config } = parseJsonConfig(new SourceFile("ridlkit.config.json", example?.text ?? ""));
  if (config === undefined) throw new Error("it is no JSON");
  expect(checkConfig(config).diagnostics).toEqual([]);
});
