import { expect, test } from "vitest";
import { settingsPage } from "./settings-page.ts";

// After a change to the settings: npx vitest run test/docs/settings.test.ts --update
test("docs/settings.md lists every setting", async () => {
  await expect(settingsPage()).toMatchFileSnapshot("../../docs/settings.md");
});
