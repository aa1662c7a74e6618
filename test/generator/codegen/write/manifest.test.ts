import { expect, test } from "vitest";
import { readManifest } from "../../../../generator/codegen/write/manifest.ts";

test.each([
  ["types.ts", true],
  ["server/index.ts", true],
  ["..types.ts", true],
  ["../types.ts", false],
  ["server/../../types.ts", false],
  ["./types.ts", false],
  ["/types.ts", false],
  ["server//types.ts", false],
  ["C:types.ts", false],
  ["server\\..\\types.ts", false],
])("a generated file at %j is in the folder: %s", (path, isListed) => {
  const listed = isListed ? { [path]: "1a" } : {};
  expect(readManifest(`file 1a ${path}\n`).files).toEqual(listed);
  expect(readManifest(`tool 1\nnext 1a ${path}\n`).next).toEqual(listed);
  const json = { tool: "", options: "", inputs: {}, files: {}, next: { [path]: "1a" } };
  expect(readManifest(JSON.stringify(json)).next ?? {}).toEqual(listed);
});
