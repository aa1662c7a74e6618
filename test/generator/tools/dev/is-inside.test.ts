import { expect, test } from "vitest";
import { isInside } from "../../../../generator/tools/dev/file-watcher.ts";

test.each([
  ["/app/generated", true],
  ["/app/generated/types.ts", true],
  ["/app/generated\\types.ts", true],
  ["/app/generated-by-hand/types.ts", false],
  ["/app/generate", false],
  ["/app", false],
])("%s is in /app/generated: %s", (path, expected) => {
  expect(isInside(path, "/app/generated")).toBe(expected);
});
