import { expect, test } from "vitest";
import { importsIn, withImportExtension } from "../../../../generator/codegen/emit/imports.ts";

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

test.each([
  ['import { a, type B } from "./x.ts";', [{ from: "./x.ts", isType: false }]],
  ['import type { B } from "@scope/x";', [{ from: "@scope/x", isType: true }]],
  [
    'import {\n  a,\n  b as c,\n} from "x/y";\nexport * from "z";',
    [
      { from: "x/y", isType: false },
      { from: "z", isType: false },
    ],
  ],
  [
    'import * as x from "x";\nimport d, { e } from "y";',
    [
      { from: "x", isType: false },
      { from: "y", isType: false },
    ],
  ],
  ['export interface A {\n  /** Copied from "koa". */\n  readonly a: string;\n}', []],
  ['/*\n * import { a } from "x";\n */\nexport const text = "import";', []],
])("the imports of %j are read", (text, expected) => {
  expect(importsIn(text)).toEqual(expected);
});
