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
  ["18.20.0", "fault"],
  ["19.99.0", "fault"],
  ["20.18.9", "fault"],
  ["20.19.0", "fine"],
  ["20.20.0", "fine"],
  ["21.0.0", "fine"],
  ["100.0.0", "fine"],
])("Node.js %s is judged as %s", (node, level) => {
  expect(examine({ ...setUp, node })[0]).toMatchObject({
    level,
    message: level === "fine" ? `Node.js ${node}` : `Node.js ${node} is too old.`,
  });
});
