import { expect, test } from "vitest";
import { lintRulesPage } from "./lint-rules-page.ts";

// After a change to the rules: npx vitest run test/docs/lint-rules.test.ts --update
test("docs/lint-rules.md says what the rules say", async () => {
  await expect(lintRulesPage()).toMatchFileSnapshot("../../docs/lint-rules.md");
});
