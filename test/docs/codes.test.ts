import { expect, test } from "vitest";
import { codesPage } from "./codes-page.ts";

// After a change to the catalogue: npx vitest run test/docs/codes.test.ts --update
test("docs/codes.md says what the catalogue says", async () => {
  await expect(codesPage()).toMatchFileSnapshot("../../docs/codes.md");
});
