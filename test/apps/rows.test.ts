import { expect, test } from "vitest";
import { readPage } from "../support/docs.ts";
import { behaviourTable } from "./behaviour.ts";
import { lineTable, mistakeTable } from "./rows.ts";

test.each([
  ["lines of code", lineTable],
  ["mistakes that the compiler finds", mistakeTable],
  ["differences at run time", behaviourTable],
])("docs/apps.md has the %s", (_, create) => {
  expect(readPage("docs/apps.md")).toContain(create());
});
