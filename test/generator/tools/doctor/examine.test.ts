import { expect, test } from "vitest";
import {
  type CompilerConfig,
  examine,
  type ImportedPackage,
  isInside,
  type ProjectSetup,
  type SchemaSetup,
} from "../../../../generator/tools/doctor/examine.ts";

const setUp: ProjectSetup = {
  node: "22.0.0",
  version: "1.0.0",
  installed: "1.0.0",
  runtime: "1.0.0",
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

const config: CompilerConfig = {
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

const schema: SchemaSetup = {
  entry: "a.ridl",
  exists: true,
  out: "generated",
  handlers: "handlers",
  hasHandlers: true,
  output: "current",
  leftLock: undefined,
  isIgnoredByGit: false,
  copiesRuntime: false,
  importsEndWithTs: true,
};

const covering: CompilerConfig = { ...config, coversGenerated: true };

const imported: ImportedPackage = {
  name: "koa",
  importers: ["main.ts"],
  isTypeOnly: false,
  isInstalled: true,
  hasTypes: true,
  isInPackageJson: true,
};

/** All findings of a set-up, each as its level and the start of its message. */
function found(changed: Partial<ProjectSetup>): readonly string[] {
  return examine({ ...setUp, ...changed }).map(({ level, message }) => `${level}: ${message}`);
}

test.each<[string, Partial<SchemaSetup>, readonly string[]]>([
  ["all is well", {}, ["ok: a.ridl → generated"]],
  ["no file", { exists: false, output: "outdated" }, ["error: The schema a.ridl does not exist."]],
  ["no folder", { out: undefined }, ["warning: a.ridl has no output folder, so nothing is generated."]],
  ["no files", { output: "unwritten" }, ["error: generated was not generated yet."]],
  ["old files", { output: "outdated" }, ["error: generated is out of date."]],
  ["errors", { output: "invalid" }, ["error: No code can be generated from a.ridl."]],
  ["ignored files", { isIgnoredByGit: true }, ["warning: generated is ignored by Git."]],
  [
    "the lock of a killed run",
    { leftLock: "generated/.ridlkit.lock" },
    ["warning: generated/.ridlkit.lock was left behind by a killed run."],
  ],
  [
    "handlers in the folder",
    { handlers: "generated/handlers" },
    ["error: The handlers in generated/handlers are inside the folder of generated files."],
  ],
  ["no handlers yet", { hasHandlers: false }, ["warning: There are no handlers in handlers."]],
  ["a client alone", { handlers: undefined, hasHandlers: false }, ["ok: a.ridl → generated"]],
])("of a schema: %s", (_case, changed, expected) => {
  expect(found({ schemas: [{ ...schema, ...changed }], configs: [covering] }).slice(2, -2)).toEqual(expected);
});

test.each([
  ["generated", "generated", true],
  ["generated/handlers", "generated", true],
  ["generated-handlers", "generated", false],
  ["handlers", "generated", false],
  [".", "generated", false],
  ["handlers", ".", true],
])("%s is inside of %s: %s", (path, outer, expected) => {
  expect(isInside(path, outer)).toBe(expected);
});

test.each([
  ["none", undefined, "warning: ridlkit 1.0.0 is not installed in the project."],
  ["the same", "1.0.0", "ok: ridlkit 1.0.0"],
  ["another", "1.0.1", "error: This is ridlkit 1.0.0, but the project has 1.0.1 installed."],
])("the installed version is %s", (_case, installed, expected) => {
  expect(found({ installed })[1]).toBe(expected);
});

const isEsm = 'ok: package.json: "type": "module"';
const isCommonJs = "ok: package.json: CommonJS";

test.each<[string | undefined, string | undefined, boolean, string]>([
  [undefined, undefined, false, "error: There is no package.json."],
  ["{", undefined, false, "error: package.json is not valid JSON."],
  ["null", undefined, false, isCommonJs],
  ['\uFEFF{ "type": "module" }', undefined, false, isEsm],
  ['{ "type": "module" }', "nodenext", true, isEsm],
  ['{ "type": "module" }', "node16", true, isEsm],
  ['{ "type": "module" }', "esnext", true, isEsm],
  ['{ "type": "module" }', "preserve", true, isEsm],
  ['{ "type": "module" }', "commonjs", false, isEsm],
  [
    '{ "type": "module" }',
    "commonjs",
    true,
    'error: package.json has "type": "module", but tsconfig.json emits CommonJS.',
  ],
  ['{ "type": "commonjs" }', "commonjs", true, isCommonJs],
  ['{ "type": "commonjs" }', "nodenext", true, isCommonJs],
  ['{ "type": "commonjs" }', "es2015", false, isCommonJs],
  ...(["es2015", "preserve"] as const).map((module): [string, string, boolean, string] => [
    '{ "type": "commonjs" }',
    module,
    true,
    `error: tsconfig.json emits ECMAScript modules ("module": "${module}"), but package.json does not have "type": "module".`,
  ]),
  [
    "{}",
    "esnext",
    true,
    'warning: tsconfig.json emits ECMAScript modules ("module": "esnext"), but package.json does not have "type": "module".',
  ],
])("package.json %s, module %s, emits: %s", (packageText, module, emits, expected) => {
  expect(found({ packageText, configs: [{ ...covering, module, emits }] })[2]).toBe(expected);
});

test.each<[string, Partial<CompilerConfig>, Partial<SchemaSetup>, readonly string[]]>([
  ["is well", {}, {}, ["ok: tsconfig.json"]],
  [
    "has errors, which hide all else",
    { errors: ["a", "b"], hasInputs: false },
    {},
    ["error: tsconfig.json: a", "error: tsconfig.json: b"],
  ],
  [
    "has no inputs",
    { hasInputs: false, coversGenerated: false },
    {},
    ["error: tsconfig.json has no input files, so tsc compiles nothing."],
  ],
  [
    "leaves generated files out",
    { coversGenerated: false, allowsTsImports: false },
    {},
    ["warning: tsconfig.json does not include generated files, so tsc does not check them."],
  ],
  [
    "leaves out files that do not exist",
    { coversGenerated: false },
    { output: "unwritten" },
    ["ok: tsconfig.json"],
  ],
  [
    "leaves out files that were not chosen",
    { coversGenerated: false },
    { out: undefined },
    ["ok: tsconfig.json"],
  ],
  ["leaves out files without a schema", { coversGenerated: false }, { exists: false }, ["ok: tsconfig.json"]],
  ...["none", "amd", "umd", "system"].map(
    (module): [string, Partial<CompilerConfig>, Partial<SchemaSetup>, readonly string[]] => [
      `has modules of the form ${module}`,
      { module },
      {},
      [`error: tsconfig.json has the unsupported "module": "${module}".`],
    ],
  ),
  [
    "does not allow imports of .ts",
    { allowsTsImports: false, compileErrors: ["E1."] },
    {},
    ['error: tsconfig.json does not allow imports that end with ".ts", but generated code has them.'],
  ],
  ["needs no imports of .ts", { allowsTsImports: false }, { importsEndWithTs: false }, ["ok: tsconfig.json"]],
  [
    "compiles no file that imports .ts",
    { allowsTsImports: false, coversGenerated: false },
    { output: "unwritten" },
    ["ok: tsconfig.json"],
  ],
])("a tsconfig.json that %s", (_case, changedConfig, changedSchema, expected) => {
  const configs = [{ ...covering, ...changedConfig }];
  expect(found({ schemas: [{ ...schema, ...changedSchema }], configs }).slice(4)).toEqual(expected);
});

test.each([undefined, "0.9.0"])("compiler errors are left out with the runtime %s", (runtime) => {
  const configs = [{ ...covering, compileErrors: ["E1."] }];
  const runtimeImport = { ...imported, name: "ridlkit-runtime", isInstalled: runtime !== undefined };
  const messages = found({ runtime, configs, imported: [runtimeImport] });
  expect(messages.filter((message) => message.includes("ridlkit-runtime"))).toHaveLength(1);
  expect(messages.filter((message) => message.includes("tsconfig.json"))).toEqual([]);
});

test.each<[string, readonly boolean[], number]>([
  ["all schemas copy it", [true, true], 1],
  ["one schema imports it", [true, false], 0],
])("files that import the runtime are reported if %s", (_case, copies, count) => {
  const schemas = copies.map((copiesRuntime) => ({ ...schema, copiesRuntime }));
  const importing = { ...imported, name: "ridlkit-runtime", importers: ["main.ts", "test/a.test.ts"] };
  const message =
    "Generated code has copies of the runtime, but main.ts, test/a.test.ts import ridlkit-runtime.";
  const findings = examine({ ...setUp, schemas, configs: [covering], imported: [importing] });
  expect(findings.filter((finding) => finding.message === message)).toHaveLength(count);
});

test("without a tsconfig.json, one is advised", () => {
  expect(found({}).slice(3)).toEqual(["warning: There is no tsconfig.json."]);
});

const nodeTypes = { name: "@types/node", isTypeOnly: true } as const;

test.each<[string, Partial<ImportedPackage>, readonly string[], string?]>([
  ["is well", {}, []],
  [
    "not installed",
    { isInstalled: false },
    ["error: The package koa is not installed, but main.ts imports it."],
    "Run npm install.",
  ],
  [
    "not installed, not listed",
    { isInstalled: false, isInPackageJson: false },
    ["error: The package koa is not installed, but main.ts imports it."],
    "Run npm install koa.",
  ],
  [
    "not installed, with types",
    { isInstalled: false, hasTypes: true },
    ["error: The package koa is not installed, but main.ts imports it."],
  ],
  ["types alone of a package that is not installed", { isInstalled: false, isTypeOnly: true }, []],
  [
    "no types",
    { name: "@koa/router", hasTypes: false },
    ["warning: The package @koa/router has no types, but main.ts imports it."],
    "Run npm install --save-dev @types/koa__router.",
  ],
  [
    "neither package nor types",
    { isInstalled: false, hasTypes: false, isTypeOnly: true },
    ["error: The package koa is not installed, but main.ts imports it."],
  ],
  [
    "not listed",
    { isInPackageJson: false },
    [
      "warning: package.json does not list koa, which main.ts imports. It is only installed because another package needs it.",
    ],
    "Run npm install koa.",
  ],
  ["types of a package that is not listed", { isInPackageJson: false, isTypeOnly: true }, []],
  [
    "no types of Node.js",
    { ...nodeTypes, isInstalled: false },
    ["error: The types of Node.js are not installed, which main.ts needs."],
    "Run npm install --save-dev @types/node.",
  ],
  [
    "types of Node.js that are excluded",
    { ...nodeTypes, isInstalled: true },
    ["error: tsconfig.json excludes the types of Node.js, which main.ts needs."],
    'Add "node" to "types".',
  ],
])("an imported package: %s", (_case, changed, expected, help) => {
  const findings = examine({ ...setUp, configs: [covering], imported: [{ ...imported, ...changed }] }).slice(
    4,
  );
  expect(findings.map(({ level, message }) => `${level}: ${message}`)).toEqual(expected);
  if (help !== undefined) expect(findings[0]?.help).toBe(help);
});

test.each<[string, Partial<ImportedPackage>, readonly string[]]>([
  ["types of Node.js", { ...nodeTypes, isInstalled: false }, []],
  ["types", { isTypeOnly: true, isInstalled: false, hasTypes: false }, []],
  ["values without types", { hasTypes: false }, []],
  ["values", { isInstalled: false }, ["error: The package koa is not installed, but main.ts imports it."]],
])("without a tsconfig.json, missing %s", (_case, changed, expected) => {
  expect(found({ imported: [{ ...imported, ...changed }] }).slice(4)).toEqual(expected);
});

const merging = ".ridlkit.manifest merge=union\n.ridlkit-handlers.json merge=union\n";
const diffs = "warning: Pull requests show the diffs of the copied runtime.";
const manifests = "warning: .ridlkit.manifest can cause merge conflicts.";
const states = "warning: .ridlkit-handlers.json can cause merge conflicts.";

test.each<[string, Partial<SchemaSetup>, readonly string[]]>([
  [merging, {}, ["ok: .gitattributes"]],
  [
    `generated/runtime/** linguist-vendored\r\n${merging.replaceAll("\n", "\r\n")}`,
    { copiesRuntime: true },
    ["ok: .gitattributes"],
  ],
  [
    `a/** linguist-generated\n**/.ridlkit.manifest  merge=union\n`,
    { hasHandlers: false, copiesRuntime: true },
    ["ok: .gitattributes"],
  ],
  ["", {}, [manifests, states]],
  ["", { copiesRuntime: true }, [manifests, states, diffs]],
  ["", { hasHandlers: false }, [manifests]],
  ["", { out: undefined, copiesRuntime: true }, []],
  [`# a linguist-generated\n#${merging}`, { hasHandlers: false, copiesRuntime: true }, [manifests, diffs]],
  [
    `a linguist-generated\n.ridlkit.manifest text\n.ridlkit-handlers.json.bak merge=union`,
    {},
    [manifests, states],
  ],
])("in Git with the attributes %j", (attributes, changed, expected) => {
  const setup = { attributes, isInGit: true, schemas: [{ ...schema, ...changed }], configs: [covering] };
  expect(found(setup).slice(5)).toEqual(expected);
  expect(found({ ...setup, isInGit: false }).slice(5)).toEqual([]);
});

test("the advised attribute names the folder of a schema that has one", () => {
  const schemas = [
    { ...schema, copiesRuntime: true, out: undefined },
    { ...schema, copiesRuntime: true, out: "b" },
  ];
  expect(examine({ ...setUp, isInGit: true, attributes: merging, schemas })).toContainEqual(
    expect.objectContaining({
      help: 'Add "b/runtime/** linguist-generated linguist-vendored" to .gitattributes.',
    }),
  );
});

test("the advised include keeps the folders that are included", () => {
  expect(examine({ ...setUp, schemas: [schema], configs: [config] })).toContainEqual(
    expect.objectContaining({ help: 'Set "include": ["src","handlers","generated"].' }),
  );
  const unwritten: SchemaSetup = { ...schema, output: "unwritten" };
  expect(examine({ ...setUp, schemas: [unwritten], configs: [config] })).not.toContainEqual(
    expect.objectContaining({ help: expect.stringContaining("include") }),
  );
});
