import { expect, test } from "vitest";
import { lintRules } from "../../generator/language/lint/rules/index.ts";
import { linkToCode, withGenerated } from "../support/docs.ts";

// After a change to the rules: npx vitest run test/docs/lint-rules.test.ts --update
test("docs/lint-rules.md lists every rule", async () => {
  const rows = lintRules
    .toSorted((a, b) => (a.code < b.code ? -1 : 1))
    .map(
      ({ code, name, preset, rule }) => `| ${linkToCode(code, name)} | \`${name}\` | ${preset} | ${rule} |`,
    );
  const table = ["| code | rule | preset | requirement |", "|---|---|---|---|", ...rows].join("\n");
  await expect(withGenerated("docs/lint-rules.md", table)).toMatchFileSnapshot("../../docs/lint-rules.md");
});
