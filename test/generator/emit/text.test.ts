import { expect, test } from "vitest";
import { docComment } from "../../../generator/emit/text.ts";

test("each line of a text in quotes is a line of the comment, and none ends it", () => {
  const documented = { docs: ["out of stock\n  come again */"], deprecated: "old\r\nuse b */" };
  expect(docComment(documented, "  ")).toBe(
    "  /**\n   * out of stock\n   * come again *\\/\n   * @deprecated old\n   * use b *\\/\n   */\n",
  );
});
