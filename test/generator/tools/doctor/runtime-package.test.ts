import { expect, test } from "vitest";
import { runtimeToInstall } from "../../../../generator/tools/doctor/runtime-package.ts";

test.each<[string, string | undefined, string]>([
  ["no package.json", undefined, "ridlkit-runtime@1.0.0"],
  ["a version", '{ "devDependencies": { "ridlkit": "^1.0.0" } }', "ridlkit-runtime@1.0.0"],
  [
    "a tarball of ridlkit",
    '{ "devDependencies": { "ridlkit": "file:../ridlkit-1.0.0.tgz" } }',
    "file:../ridlkit-runtime-1.0.0.tgz",
  ],
  [
    "a clone of the repository",
    '{ "dependencies": { "ridlkit": "file:../clone/" } }',
    "file:../clone/generator/runtime",
  ],
  [
    "a tarball of the runtime",
    '{ "dependencies": { "ridlkit": "^1.0.0", "ridlkit-runtime": "file:runtime.tgz" } }',
    "file:runtime.tgz",
  ],
  [
    "a tarball with another name",
    '{ "devDependencies": { "ridlkit": "file:toolkit.tgz" } }',
    "ridlkit-runtime@1.0.0",
  ],
  [
    "escapes and a mark of the byte order",
    '\uFEFF{ "devDependencies": { "ridlkit": "file:\\u002e\\u002e/ridlkit-1.0.0.tgz" } }',
    "file:../ridlkit-runtime-1.0.0.tgz",
  ],
  [
    "a key of the same name elsewhere",
    '{ "nodes": { "ridlkit": "file:../ridlkit-1.0.0.tgz" }, "devDependencies": { "ridlkit": "^1.0.0" } }',
    "ridlkit-runtime@1.0.0",
  ],
  [
    "a package.json that is not JSON",
    '{ "devDependencies": { "ridlkit": "file:../ridlkit-1.0.0.tgz" }',
    "ridlkit-runtime@1.0.0",
  ],
  ["a package.json that is null", "null", "ridlkit-runtime@1.0.0"],
])("the runtime to install with %s", (_case, packageText, expected) => {
  expect(runtimeToInstall("1.0.0", packageText)).toBe(expected);
});
