/** Handlers of one package, whose generated code belongs to another package of the workspace. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder, ridlkit } from "../../../support/program.ts";

const schema = `webrpc = v1
name = clinic
version = v1.0.0
basepath = /rpc

service Clinic
  - Name() => (name: string)
`;
const config = {
  schemas: [
    { entry: "clinic.ridl", out: "generated", handlers: "../../apps/api/src/handlers", adapters: ["node"] },
  ],
};

function workspace(dependencies: object, exported: unknown) {
  return folder({
    "packages/contract/clinic.ridl": schema,
    "packages/contract/ridlkit.config.json": JSON.stringify(config),
    "packages/contract/package.json": JSON.stringify({
      name: "@clinic/contract",
      type: "module",
      exports: exported,
    }),
    "apps/api/package.json": JSON.stringify({ name: "api", type: "module", dependencies }),
  });
}

const depends = { "@clinic/contract": "*" };
const relative = "../../../../../packages/contract/generated/server.ts";

test.each<[string, object, unknown, string]>([
  ["a pattern", depends, { "./*": "./generated/*.ts" }, "@clinic/contract/server"],
  [
    "conditions",
    depends,
    { "./rpc": { types: "./generated/server.ts", default: "./dist/server.js" } },
    "@clinic/contract/rpc",
  ],
  [
    "a file",
    depends,
    { "./server": "./generated/server.ts", "./types": "./generated/types.ts" },
    "@clinic/contract/server",
  ],
  ["other files", depends, { "./*": "./dist/*.js" }, relative],
  ["no dependency", {}, { "./*": "./generated/*.ts" }, relative],
])("scaffold imports as the exports map permits: %s", async (_name, dependencies, exported, specifier) => {
  using dir = workspace(dependencies, exported);
  const cwd = join(dir.path, "packages/contract");
  const read = (file: string): string => readFileSync(join(dir.path, "apps/api/src/handlers", file), "utf8");
  for (const command of [["generate"], ["scaffold"]])
    expect(await ridlkit(command, { cwd })).toMatchObject({ code: 0 });
  expect(read("Clinic/Name.ts")).toContain(`import type { ClinicHandlers } from "${specifier}";`);
  expect(read("handlers.ts")).toContain(`import type { Handlers } from "${specifier.replace("../", "")}";`);
  // Renames find the imports again.
  writeFileSync(join(cwd, "clinic.ridl"), schema.replace("service Clinic", "service Practice"));
  for (const command of [["generate"], ["scaffold"]])
    expect(await ridlkit(command, { cwd })).toMatchObject({ code: 0 });
  expect(read("Practice/Name.ts")).toContain(`import type { PracticeHandlers } from "${specifier}";`);
});

test("doctor wants no tsconfig.json in a package that others compile", async () => {
  using dir = workspace(depends, { "./*": "./generated/*.ts" });
  const cwd = join(dir.path, "packages/contract");
  const { out, err } = await ridlkit(["doctor"], { cwd });
  expect(out + err).not.toContain("There is no tsconfig.json");
  writeFileSync(join(cwd, "package.json"), JSON.stringify({ name: "x", type: "module" }));
  const again = await ridlkit(["doctor"], { cwd });
  expect(again.out + again.err).toContain("There is no tsconfig.json");
});
