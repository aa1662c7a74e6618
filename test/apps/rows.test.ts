import { describe, expect, test } from "vitest";
import { readPage } from "../support/docs.ts";
import { clinic, messageTable } from "./clinic.ts";
import { gallery } from "./gallery.ts";
import { behaviorTable, lineTable, mistakeTable } from "./rows.ts";

describe.each([gallery, clinic])("docs/apps.md has of the $folder", (app) => {
  test.each([
    ["lines of code", lineTable],
    ["mistakes that the compiler finds", mistakeTable],
    ["differences at run time", behaviorTable],
  ])("the %s", (_, create) => {
    expect(readPage("docs/apps.md")).toContain(create(app));
  });
});

test("docs/apps.md has the messages of the form", () => {
  expect(readPage("docs/apps.md")).toContain(messageTable());
});
