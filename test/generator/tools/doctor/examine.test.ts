import { expect, test } from "vitest";
import { examine, type ProjectSetup } from "../../../../generator/tools/doctor/examine.ts";

const setUp: ProjectSetup = {
  node: "22.0.0",
  version: "1.0.0",
  installed: "1.0.0",
  schemas: [],
  packageText: '{ "type": "module" }',
  attributes: "",
  isInGit: false,
  configs: [],
  imported: [],
};

test.each([
  ["18.20.0", "error"],
  ["19.99.0", "error"],
  ["20.18.9", "error"],
  ["20.19.0", "ok"],
  ["20.20.0", "ok"],
  ["21.0.0", "ok"],
  ["100.0.0", "ok"],
])("Node.js %s is judged as %s", (node, level) => {
  expect(examine({ ...setUp, node })[0]).toMatchObject({
    level,
    message: level === "ok" ? `Node.js ${node}` : `Node.js ${node} is too old.`,
  });
});

const config = {
  path: "tsconfig.json",
  errors: [],
  hasInputs: true,
  include: ["src"],
  coversGenerated: false,
  allowsTsImports: true,
  emits: false,
  module: undefined,
  compileErrors: [],
};

test.each([
  [1, "E1."],
  [3, "E1; E2; E3."],
  [4, "E1; E2; E3; and 1 more."],
])("of %i compiler errors, the first three are shown", (count, shown) => {
  const compileErrors = Array.from({ length: count }, (_, index) => `E${index + 1}.`);
  expect(examine({ ...setUp, configs: [{ ...config, compileErrors }] })).toContainEqual(
    expect.objectContaining({ message: `Generated code does not compile with tsconfig.json: ${shown}` }),
  );
});

test("the advised include keeps the folders that are included", () => {
  const schema = {
    entry: "a.ridl",
    exists: true,
    out: "generated",
    handlers: "handlers",
    hasHandlers: true,
    outdated: [],
    leftovers: [],
    isIgnoredByGit: false,
    importsEndWithTs: true,
  };
  expect(examine({ ...setUp, schemas: [schema], configs: [config] })).toContainEqual(
    expect.objectContaining({ help: 'Set "include": ["src","handlers","generated"].' }),
  );
  const unwritten = { ...schema, outdated: ["unwritten"] };
  expect(examine({ ...setUp, schemas: [unwritten], configs: [config] })).not.toContainEqual(
    expect.objectContaining({ help: expect.stringContaining("include") }),
  );
});
