import { expect, test } from "vitest";
import { catalog } from "../../generator/language/diagnostics/catalog.ts";
import { breakingRules, isBreakingRule } from "../../generator/verify/breaking/rules.ts";
import { linkToCode, withGenerated } from "../support/docs.ts";

// After a change to the rules: npx vitest run test/docs/breaking-rules.test.ts --update
test("docs/breaking-rules.md lists every rule", async () => {
  const rows = Object.entries(breakingRules).flatMap(([name, { direction, kind }]) => {
    if (!isBreakingRule(name)) return [];
    const { code, severity, rule } = catalog[name];
    const link = linkToCode(code, name);
    return `| ${link} | \`${name}\` | ${direction} | ${severity} | ${kind} | ${rule} |`;
  });
  const table = [
    "| code | rule | direction | severity | kind | requirement |",
    "|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
  await expect(withGenerated("docs/breaking-rules.md", table)).toMatchFileSnapshot(
    "../../docs/breaking-rules.md",
  );
});
