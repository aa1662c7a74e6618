import { expect, test } from "vitest";
import { breakingRulesPage } from "./breaking-rules-page.ts";

// After a change to the rules: npx vitest run test/docs/breaking-rules.test.ts --update
test("docs/breaking-rules.md says what the rules say", async () => {
  await expect(breakingRulesPage()).toMatchFileSnapshot("../../docs/breaking-rules.md");
});
