import { expect, test } from "vitest";
import { staleReasons } from "../../../../generator/codegen/check/staleness.ts";
import { hashOf, type Manifest } from "../../../../generator/codegen/write/manifest.ts";

const manifest: Manifest = {
  tool: "1",
  options: "2",
  templates: "3",
  inputs: { "../api.ridl": hashOf("api") },
  files: { "types.ts": "4" },
};

test.each<[string, Partial<Manifest>, readonly string[]]>([
  ["nothing", {}, []],
  ["the version of ridlkit", { tool: "0" }, ["tool"]],
  ["the options", { options: "0" }, ["configuration"]],
  ["a template", { templates: "0" }, ["template"]],
  ["a template, the first one", { templates: "" }, ["template"]],
  ["the schema", { inputs: { "../api.ridl": hashOf("old") } }, ["stale"]],
  ["the schema, of which a file is gone", { inputs: { "../gone.ridl": hashOf("api") } }, ["stale"]],
  ["nothing, but the last run did not end", { next: {} }, ["unfinished"]],
  ["everything: there are no files", { inputs: {}, files: {} }, ["unwritten"]],
])("since the last run, %s has changed", (_, before, kinds) => {
  const now = { tool: "1", options: "2", templates: "3" };
  const readInput = (path: string): Buffer | undefined =>
    path === "../api.ridl" ? Buffer.from("api") : undefined;
  expect(staleReasons({ ...manifest, ...before }, now, readInput).map(({ kind }) => kind)).toEqual(kinds);
});

test("the last template was removed", () => {
  const now = { tool: "1", options: "2", templates: "" };
  expect(staleReasons(manifest, now, () => Buffer.from("api"))).toEqual([{ kind: "template" }]);
});
