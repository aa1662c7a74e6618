import { expect, test } from "vitest";
import { templatesPage } from "./templates-page.ts";

// After a change to the plan: npx vitest run test/docs/templates.test.ts --update
test("docs/templates.md shows the plan as it is", async () => {
  await expect(templatesPage()).toMatchFileSnapshot("../../docs/templates.md");
});
