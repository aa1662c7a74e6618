/** The pictures of commands whose output is the same on every machine. `npm run pictures` draws all of them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { breakingPicture, lintPicture } from "../../docs/pictures/commands.ts";
import { root } from "../support/docs.ts";

test.each([
  ["lint", lintPicture],
  ["breaking", breakingPicture],
])("the picture of %s shows what it prints", (_command, draw) => {
  const { file, svg } = draw();
  expect(readFileSync(join(root, "docs/images", file), "utf8")).toBe(svg);
});
