import { expect, test } from "vitest";
import { type InitPlan, type InitProject, planProject } from "../../../../generator/tools/init/project.ts";
import { stackNames } from "../../../../generator/tools/init/stacks/index.ts";
import type { Files } from "../../../support/memory-reader.ts";

const packages = { ridlkit: "^1.0.0", "ridlkit-runtime": "^1.0.0" };
const dependencies = { "ridlkit-runtime": "^1.0.0" };
const devDependencies = { ridlkit: "^1.0.0" };

/** Plans a project with Koa in a folder with these files. */
function plan(existing: Files, changed: Partial<InitProject> = {}): InitPlan {
  return planProject({
    name: "shop",
    stack: "koa",
    schemaLanguage: "ridl",
    runtime: "package",
    packages,
    readExisting: (path) => existing[path],
    configurations: [],
    ...changed,
  });
}

/** The text that a file gets; undefined if it is not written. */
function written(path: string, existing: Files, changed?: Partial<InitProject>): string | undefined {
  return plan(existing, changed).files.find((file) => file.path === path)?.text;
}

const packageOf = (existing: Files, changed?: Partial<InitProject>): Record<string, unknown> =>
  JSON.parse(written("package.json", existing, changed) ?? "{}");

const paths = ({ files }: InitPlan): readonly string[] => files.map(({ path }) => path);

const settings = [".gitattributes", ".vscode/settings.json"];

test.each<[string, Files, Partial<InitProject>, readonly string[]]>([
  [
    "a new server",
    {},
    {},
    [
      "ridlkit.config.json",
      "schema/hello.ridl",
      "handlers/Hello/Greet.ts",
      "handlers/handlers.ts",
      "main.ts",
      "test/Greet.test.ts",
      "package.json",
      "tsconfig.json",
      ".gitattributes",
      ".gitignore",
      ".vscode/settings.json",
      ".github/workflows/ridlkit.yml",
      "AGENTS.md",
    ],
  ],
  [
    "a server in a package",
    { "package.json": "{}" },
    {},
    [
      "ridlkit.config.json",
      "schema/hello.ridl",
      "handlers/Hello/Greet.ts",
      "handlers/handlers.ts",
      "package.json",
      "tsconfig.json",
      ...settings,
    ],
  ],
  [
    "a server with routes in a package",
    { "package.json": "{}" },
    { stack: "next" },
    [
      "ridlkit.config.json",
      "schema/hello.ridl",
      "handlers/Hello/Greet.ts",
      "handlers/handlers.ts",
      "app/rpc/[...call]/route.ts",
      "package.json",
      "tsconfig.json",
      ...settings,
    ],
  ],
  [
    "a package with handlers",
    { "package.json": "{}", "handlers/handlers.ts": "" },
    { stack: "next" },
    ["ridlkit.config.json", "schema/hello.ridl", "package.json", "tsconfig.json", ...settings],
  ],
  [
    "a new client",
    {},
    { stack: "vite", schemaLanguage: "yaml" },
    [
      "ridlkit.config.json",
      "schema/hello.yaml",
      "index.html",
      "vite.config.ts",
      "src/main.tsx",
      "package.json",
      "tsconfig.json",
      ".gitattributes",
      ".gitignore",
      ".vscode/settings.json",
      ".github/workflows/ridlkit.yml",
      "AGENTS.md",
    ],
  ],
  [
    "a client in a package",
    { "package.json": "{}" },
    { stack: "vite" },
    ["ridlkit.config.json", "schema/hello.ridl", "package.json", "tsconfig.json", ...settings],
  ],
  [
    "a package with a configuration",
    { "package.json": "{}" },
    { configurations: ["ridlkit.config.ts", "package.json"] },
    ["package.json", "tsconfig.json", ...settings],
  ],
  [
    "a package with workflows",
    { "package.json": "{}", ".github/workflows": "", "tsconfig.json": "" },
    { configurations: ["ridlkit.config.ts"] },
    ["package.json", ...settings, ".github/workflows/ridlkit.yml"],
  ],
  [
    "a package with that workflow",
    { "package.json": "{}", ".github/workflows": "", ".github/workflows/ridlkit.yml": "" },
    { configurations: ["ridlkit.config.ts"] },
    ["package.json", "tsconfig.json", ...settings],
  ],
])("%s gets these files", (_case, existing, changed, expected) => {
  expect(paths(plan(existing, changed))).toEqual(expected);
});

test.each<[string, Files, Partial<InitProject>, readonly string[]]>([
  ["a new package", {}, {}, []],
  ["a package", { "package.json": "{}" }, {}, ["Add to CI: npx ridlkit check"]],
  ["a package with workflows", { "package.json": "{}", ".github/workflows": "" }, {}, []],
  [
    "a package with two configurations",
    { "package.json": "{}" },
    { configurations: ["ridlkit.config.ts", "package.json"] },
    [
      "ridlkit.config.ts already exists, so no schema and no files for Koa were added.",
      "Add to CI: npx ridlkit check",
    ],
  ],
])("the hints for %s", (_case, existing, changed, expected) => {
  expect(plan(existing, changed).hints).toEqual(expected);
});

test.each([
  ["shop", "shop"],
  ["My Shop", "my-shop"],
  ["my.shop_1", "my.shop_1"],
  [".hidden", "hidden"],
  ["_a", "a"],
  ["Bücher!", "b-cher"],
  ["--", "api"],
  ["", "api"],
  ["1st", "1st"],
])("a package in the folder %j has the name %s", (name, expected) => {
  expect(packageOf({}, { name })["name"]).toBe(expected);
});

test("a new package is private, and its packages are sorted", () => {
  const koa = packageOf({});
  expect(Object.keys(koa)).toEqual(["name", "private", "type", "scripts", "dependencies", "devDependencies"]);
  expect(koa).toMatchObject({ private: true, type: "module" });
  const names = Object.keys(koa["devDependencies"] as object);
  expect(names).toEqual([...names].sort());
  expect(koa["dependencies"]).toEqual({ koa: expect.any(String), ...dependencies });
  expect(koa["devDependencies"]).toMatchObject(devDependencies);
  expect(packageOf({}, { stack: "next" })).not.toHaveProperty("type");
});

const added = {
  dev: "ridlkit dev --scaffold",
  generate: "ridlkit generate && ridlkit scaffold",
  "check:generated": "ridlkit check",
};

const complete = JSON.stringify({ scripts: added, dependencies, devDependencies });
const foreignDev = JSON.stringify({ scripts: { ...added, dev: "vite" }, dependencies, devDependencies });

test.each<[string, object, object]>([
  ["an empty one", {}, { scripts: added, dependencies, devDependencies }],
  [
    "one with a script of its own",
    { scripts: { dev: "vite" } },
    { scripts: { ...added, dev: "vite" }, dependencies, devDependencies },
  ],
  [
    "one that depends on ridlkit",
    { dependencies: { ridlkit: "0.1.0" } },
    { dependencies: { ridlkit: "0.1.0", ...dependencies }, scripts: added },
  ],
  [
    "one that develops with ridlkit",
    { devDependencies: { ridlkit: "0.1.0" } },
    { devDependencies: { ridlkit: "0.1.0" }, scripts: added, dependencies },
  ],
  [
    "one that depends on the runtime",
    { dependencies: { "ridlkit-runtime": "0.1.0" } },
    { dependencies: { "ridlkit-runtime": "0.1.0" }, scripts: added, devDependencies },
  ],
  ["one whose scripts are no object", { scripts: [] }, { scripts: [], dependencies, devDependencies }],
])("a package.json gets what it lacks: %s", (_case, content, expected) => {
  expect(packageOf({ "package.json": JSON.stringify(content) })).toEqual(expected);
});

test("a package.json that lacks nothing stays", () => {
  expect(written("package.json", { "package.json": complete })).toBeUndefined();
});

test("the runtime is not added to a project whose configuration may copy it", () => {
  const package_ = packageOf({ "package.json": "{}" }, { configurations: ["ridlkit.config.ts"] });
  expect(package_).toEqual({ scripts: added, devDependencies });
});

test.each<[string, string, string | undefined]>([
  [
    "two blanks",
    '{\n  "a": 1\n}\n',
    '{\n  "a": 1,\n  "files.readonlyInclude": {\n    "generated/**": true\n  }\n}\n',
  ],
  ["tabs", '{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"files.readonlyInclude": {\n\t\t"generated/**": true\n\t}\n}'],
  [
    "the line ends of Windows",
    '{\r\n  "a": 1\r\n}\r\n',
    '{\r\n  "a": 1,\r\n  "files.readonlyInclude": {\r\n    "generated/**": true\r\n  }\r\n}\r\n',
  ],
  [
    "the key already",
    '{\n  "files.readonlyInclude": {\n    "a": false\n  }\n}\n',
    '{\n  "files.readonlyInclude": {\n    "a": false,\n    "generated/**": true\n  }\n}\n',
  ],
  [
    "another value of the key",
    '{\n  "files.readonlyInclude": {\n    "generated/**": false\n  }\n}\n',
    undefined,
  ],
  ["no object in the key", '{\n  "files.readonlyInclude": null\n}\n', undefined],
  ["several items on a line", '{ "a": 1 }\n', undefined],
  ["comments", '{\n  // mine\n  "a": 1\n}\n', undefined],
  ["a list", "[]", undefined],
  ["null", "null", undefined],
])("settings with %s", (_case, before, expected) => {
  expect(written(".vscode/settings.json", { ".vscode/settings.json": before })).toBe(expected);
});

test.each([
  ['{ "a": 1 }\n', "would lose its formatting"],
  ["[]", "has comments or is not a valid JSON object"],
])("the settings %j are not changed, and the hint has the reason", (before, reason) => {
  expect(plan({ ".vscode/settings.json": before }).hints).toEqual([
    `.vscode/settings.json was not changed, because it ${reason}. Add these keys: {"files.readonlyInclude":{"generated/**":true}}`,
  ]);
});

const lines = [".ridlkit.manifest merge=union", ".ridlkit-handlers.json merge=union"];

test.each<[string, string | undefined, string | undefined]>([
  ["no file", undefined, `${lines.join("\n")}\n`],
  ["an empty file", "", `${lines.join("\n")}\n`],
  ["another line", "* text=auto\n", `* text=auto\n${lines.join("\n")}\n`],
  ["an open line", "* text=auto", `* text=auto\n${lines.join("\n")}\n`],
  ["an open line of Windows", "a\r\nb", `a\r\nb\r\n${lines.join("\r\n")}\r\n`],
  ["one of the lines, indented", `  ${lines[1]}  \n`, `  ${lines[1]}  \n${lines[0]}\n`],
  ["all lines", `${lines.join("\r\n")}\r\n`, undefined],
])(".gitattributes with %s", (_case, before, expected) => {
  const existing = before === undefined ? {} : { ".gitattributes": before };
  expect(written(".gitattributes", existing)).toBe(expected);
});

test("with copies of the runtime, no file imports the package", () => {
  for (const stack of stackNames) {
    const { files } = plan({}, { stack, runtime: "copy" });
    expect(files.filter(({ text }) => text.includes("ridlkit-runtime"))).toEqual([]);
  }
  const copy = { runtime: "copy" } as const;
  expect(written("ridlkit.config.json", {}, copy)).toContain('"runtime": "copy"');
  expect(written(".gitattributes", {}, copy)).toContain(
    "\ngenerated/runtime/** linguist-generated linguist-vendored\n",
  );
  expect(written("main.ts", {}, copy)).toContain('from "./generated/runtime/koa.ts"');
  expect(written("test/Greet.test.ts", {}, copy)).toContain('from "../generated/runtime/koa.ts"');
  expect(written("main.ts", {}, { ...copy, stack: "nest" })).toContain('from "./generated/runtime/node.js"');
  expect(written(".gitattributes", {}, { ...copy, configurations: ["ridlkit.config.ts"] })).not.toContain(
    "runtime",
  );
});

test.each<[string, Files, Partial<InitProject>, readonly string[]]>([
  ["a new package", {}, {}, ["npm install", "npm run dev"]],
  ["a package that lacks nothing", { "package.json": complete }, {}, ["npm run dev"]],
  ["a package with a script of its own", { "package.json": foreignDev }, {}, ["npx ridlkit dev --scaffold"]],
  [
    "a client with a script of its own",
    { "package.json": foreignDev },
    { stack: "vite" },
    ["npx ridlkit generate"],
  ],
  [
    "a broken package.json",
    { "package.json": "{" },
    {},
    [
      "npm install ridlkit-runtime@^1.0.0",
      "npm install --save-dev ridlkit@^1.0.0",
      "npx ridlkit dev --scaffold",
    ],
  ],
  [
    "a broken package.json, with a file",
    { "package.json": "{" },
    { packages: { ridlkit: "file:../ridlkit.tgz", "ridlkit-runtime": "file:../ridlkit-runtime.tgz" } },
    [
      "npm install file:../ridlkit-runtime.tgz",
      "npm install --save-dev file:../ridlkit.tgz",
      "npx ridlkit dev --scaffold",
    ],
  ],
])("what to run next in %s", (_case, existing, changed, expected) => {
  expect(plan(existing, changed).nextCommands).toEqual(expected);
});
