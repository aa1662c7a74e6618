import { expect, test } from "vitest";
import { withImportExtension } from "../../../../generator/codegen/emit/import-extension.ts";

const text = `import { a } from "./a.ts";
import type {
  B,
} from "../b.ts";
export * from "./types.d.ts";
import koa from "koa.ts";
/**
 * import { no } from "./no.ts";
 */
const late = () => import("./late.ts");
`;

test.each([
  [".ts", text],
  [".js", text.replace(/("[.][^"]*|late)[.]ts"/g, '$1.js"').replace("./no.js", "./no.ts")],
  ["none", text.replace(/("[.][^"]*|late)[.]ts"/g, '$1"').replace('"./no"', '"./no.ts"')],
] as const)(
  "imports of other generated files end with %s, and nothing else changes",
  (extension, expected) => {
    expect(withImportExtension(text, extension)).toBe(expected);
  },
);
