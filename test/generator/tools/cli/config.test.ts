import { expect, test } from "vitest";
import type { FindingsJson } from "../../../../generator/tools/cli/output/report.ts";
import { folder, type Outcome, ridlkit } from "../../../support/program.ts";
import { bad, doubtful, good } from "../../../support/schemas.ts";

const schemas = '[{ entry: "s/good.ridl" }]';
const files = { "s/good.ridl": good };

/** The same configuration in each form that is read. */
const forms: Readonly<Record<string, string>> = {
  "ridlkit.config.ts": `import { type Config, defineConfig } from "ridlkit";
const config: Config = defineConfig({ schemas: ${schemas} });
export default config;`,
  "ridlkit.config.js": `export default { schemas: ${schemas} };`,
  "ridlkit.config.mjs": `import { defineConfig } from "ridlkit"; export default defineConfig({ schemas: ${schemas} });`,
  "ridlkit.config.json": '\ufeff{ "schemas": [{ "entry": "s/good.ridl" }] }',
  "ridlkit.config.yaml": "schemas:\n  - entry: s/good.ridl # the one\n",
  "ridlkit.config.yml": "schemas: [{ entry: s/good.ridl }]",
};

const lintsGood: Outcome = {
  code: 0,
  out: "s/good.ridl: 2 methods, 2 types, 1 error, no problems\n",
  err: "",
};

test.each(Object.entries(forms))("%s is found and read", async (name, text) => {
  using dir = folder({ ...files, [name]: text });
  expect(await ridlkit(["lint"], { cwd: dir.path })).toEqual(lintsGood);
});

test.each(Object.entries(forms))("%s may have the line ends of Windows", async (name, text) => {
  using dir = folder({ ...files, [name]: text.replaceAll("\n", "\r\n") });
  expect(await ridlkit(["lint"], { cwd: dir.path })).toEqual(lintsGood);
});

test.skipIf(process.platform === "win32").each([
  ["ridlkit.config.json", '{ "schemas": [{ "entry": "s\\\\good.ridl" }] }'],
  ["ridlkit.config.yaml", "schemas:\n  - entry: s\\good.ridl\n"],
  ["ridlkit.config.js", 'export default { schemas: [{ entry: "s\\\\good.ridl" }] };'],
])("an entry with a backslash is no folder and file in %s", async (name, text) => {
  using dir = folder({ ...files, [name]: text });
  const { code, err } = await ridlkit(["lint"], { cwd: dir.path });
  expect(err).toContain("s\\good.ridl");
  expect(code).not.toBe(0);
});

test("a script in the CommonJS form is read too", async () => {
  using dir = folder({ ...files, "ridlkit.config.js": `module.exports = { schemas: ${schemas} };` });
  expect(await ridlkit(["lint"], { cwd: dir.path })).toEqual(lintsGood);
});

test("a script leaves nothing behind", async () => {
  using dir = folder({
    ...files,
    "ridlkit.config.ts": forms["ridlkit.config.ts"] ?? "",
    "node_modules/x/y": "",
  });
  await ridlkit(["lint"], { cwd: dir.path });
  const { readdirSync } = await import("node:fs");
  expect(readdirSync(`${dir.path}/node_modules`)).toEqual(["x"]);
});

test("entries are relative to the configuration, and shown from where we stand", async () => {
  using dir = folder({ "a/s/good.ridl": good, "a/my.json": '{ "schemas": [{ "entry": "s/good.ridl" }] }' });
  const expected = { ...lintsGood, out: `a/${lintsGood.out}` };
  expect(await ridlkit(["lint", "--config", "a/my.json"], { cwd: dir.path })).toEqual(expected);
  expect(await ridlkit(["lint"], { cwd: dir.path, env: { RIDLKIT_CONFIG: "a/my.json" } })).toEqual(expected);
  expect((await ridlkit(["lint", "--cwd=a", "--config=my.json"], { cwd: dir.path })).out).toBe(lintsGood.out);
});

test("--config goes before RIDLKIT_CONFIG and before what lies in the directory", async () => {
  using dir = folder({
    ...files,
    "right.yaml": "schemas: [{ entry: s/good.ridl }]",
    "wrong.yaml": "schemas: [{ entry: wrong.ridl }]",
    "ridlkit.config.yaml": "schemas: [{ entry: wrong.ridl }]",
  });
  const env = { RIDLKIT_CONFIG: "wrong.yaml" };
  expect(await ridlkit(["lint", "--config=right.yaml"], { cwd: dir.path, env })).toEqual(lintsGood);
});

const two = '{ "schemas": [{ "entry": "s/good.ridl" }, { "name": "other", "entry": "bad.ridl" }] }';

test("lint checks all schemas, ir wants to know which", async () => {
  using dir = folder({ ...files, "bad.ridl": bad, "ridlkit.config.json": two });
  const lint = await ridlkit(["lint"], { cwd: dir.path });
  expect([lint.code, lint.out]).toEqual([1, `${lintsGood.out}bad.ridl: invalid, 1 error\n`]);
  const one = await ridlkit(["lint", "--format=json", "--project", "good"], { cwd: dir.path });
  expect((JSON.parse(one.out) as FindingsJson).schemas).toMatchObject([
    { path: "s/good.ridl", project: "good" },
  ]);
  expect((await ridlkit(["ir", "--project=good"], { cwd: dir.path })).code).toBe(0);
  expect(await ridlkit(["ir"], { cwd: dir.path })).toEqual({
    code: 2,
    out: "",
    err: 'ridlkit: "ridlkit.config.json" has several schemas. Choose one with --project: good, other.\nSee: ridlkit help ir\n',
  });
  expect((await ridlkit(["ir", "--project=god"], { cwd: dir.path })).err).toContain(
    '"ridlkit.config.json" has no schema "god". Did you mean "good"?',
  );
});

// Flag over environment over schema over configuration over default; 1 means that the warning was refused.
test.each([
  ["", "", {}, [], 0],
  ["strict: true", "", {}, [], 1],
  ["strict: true", "strict: false", {}, [], 0],
  ["strict: false", "strict: true", {}, [], 1],
  ["strict: true", "strict: true", { RIDLKIT_STRICT: "0" }, [], 0],
  ["", "", { RIDLKIT_STRICT: "true" }, [], 1],
  ["", "", { RIDLKIT_STRICT: "1" }, ["--no-strict"], 0],
  ["strict: false", "", { RIDLKIT_STRICT: "0" }, ["--strict"], 1],
])("strict: %j, schema %j, environment %j, flags %j → %i", async (whole, schema, env, flags, code) => {
  const config = `${whole}\nschemas:\n  - entry: d.ridl\n    ${schema}\n`;
  using dir = folder({ "d.ridl": doubtful, "ridlkit.config.yaml": config });
  expect((await ridlkit(["lint", ...flags], { cwd: dir.path, env })).code).toBe(code);
});

test("for a FILE the settings of the whole configuration count", async () => {
  using dir = folder({
    "d.ridl": doubtful,
    "ridlkit.config.yaml": "strict: true\nschemas: [{ entry: x.ridl }]\n",
  });
  expect((await ridlkit(["lint", "d.ridl"], { cwd: dir.path })).code).toBe(1);
});

interface Ir {
  readonly version: string;
  readonly types: readonly { readonly name: string }[];
  readonly services: readonly { readonly methods: readonly { readonly name: string }[] }[];
}

test("a schema's filters shape its IR; a flag goes before them", async () => {
  const config = `schemas:
  - entry: s/good.ridl
    schemaVersion: v5
    services: [Pets]
    ignore: ["@internal"]
    methodTreeShake: true
`;
  using dir = folder({ ...files, "ridlkit.config.yaml": config });
  const irOf = async (flags: readonly string[], env = {}) =>
    JSON.parse((await ridlkit(["ir", ...flags], { cwd: dir.path, env })).out) as Ir;
  const shaped = await irOf([]);
  expect(shaped).toMatchObject({ version: "v5", types: [{ name: "Pet" }] });
  expect(shaped.services[0]?.methods.map(({ name }) => name)).toEqual(["ListPets"]);
  const flagged = await irOf(["--match=@internal", "--no-method-tree-shake", "--schema-version=v6"]);
  expect(flagged).toMatchObject({ version: "v6" });
  expect(flagged.types).toHaveLength(2);
  expect(flagged.services[0]?.methods.map(({ name }) => name)).toEqual(["FindPet"]);
  expect((await irOf([], { WEBRPC_SCHEMA_VERSION: "v7" })).version).toBe("v7");
});

test("two configurations in one directory are one too many", async () => {
  using dir = folder({
    ...files,
    "ridlkit.config.json": "{}",
    "ridlkit.config.yml": forms["ridlkit.config.yml"] ?? "",
  });
  const { code, out, err } = await ridlkit(["lint"], { cwd: dir.path });
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain(
    'More than one file configures ridlkit: "ridlkit.config.json" and "ridlkit.config.yml".',
  );
  expect((await ridlkit(["lint", "--config=ridlkit.config.yml"], { cwd: dir.path })).code).toBe(0);
});

test("faults of the configuration have places, and the exit code is 2", async () => {
  using dir = folder({ "ridlkit.config.json": '{\n  "schemas": [\n    { "entyr": "a.ridl" }\n  ]\n}\n' });
  expect(await ridlkit(["lint"], { cwd: dir.path })).toEqual({
    code: 2,
    out: "",
    err: `error[RK804]: schemas[0].entry is missing; it must be a non-empty string.
 --> ridlkit.config.json:3:5
  |
3 |     { "entyr": "a.ridl" }
  |     ^

error[RK802]: There is no setting "schemas[0].entyr".
 --> ridlkit.config.json:3:7
  |
3 |     { "entyr": "a.ridl" }
  |       ^^^^^^^
  = Did you mean "entry"?

2 errors
`,
  });
  const json = await ridlkit(["lint", "--format=json"], { cwd: dir.path });
  expect([json.code, json.err]).toEqual([2, ""]);
  const { ok, diagnostics } = JSON.parse(json.out) as FindingsJson;
  expect({ ok, codes: diagnostics.map(({ code }) => code) }).toEqual({
    ok: false,
    codes: ["RK804", "RK802"],
  });
  expect((await ridlkit(["ir", "--format=json"], { cwd: dir.path })).out).toBe("");
});

test.each([
  [
    "ridlkit.config.json",
    '{ "schemas": [',
    "error[RK801]: The configuration is not valid JSON: expected a value, found the end",
  ],
  ["ridlkit.config.json", "a\0b", 'error[RK203]: "ridlkit.config.json" is not UTF-8 text.'],
  ["ridlkit.config.yaml", "schemas: [", "error[RK801]: The configuration is not valid YAML: "],
  ["ridlkit.config.yaml", "", "error[RK803]: The configuration must be an object, found null.\n"],
  [
    "ridlkit.config.ts",
    "export const x = 1;",
    'error[RK808]: "ridlkit.config.ts" failed to run: it has no default export.',
  ],
  [
    "ridlkit.config.ts",
    "throw new TypeError('no luck\\ntrace')",
    'error[RK808]: "ridlkit.config.ts" failed to run: TypeError: no luck\n --> ridlkit.config.ts:1:1\n',
  ],
  [
    "ridlkit.config.ts",
    "// fails below\n\nexport default process.env['UNSET'].length;\n",
    "error[RK808]: \"ridlkit.config.ts\" failed to run: TypeError: Cannot read properties of undefined (reading 'length')\n --> ridlkit.config.ts:3:1\n",
  ],
  [
    "ridlkit.config.js",
    "export default {\n  schemas: [}\n",
    'error[RK808]: "ridlkit.config.js" failed to run: ParseError: Unexpected token\n --> ridlkit.config.js:2:3\n',
  ],
  ["ridlkit.config.js", "throw 'no luck'", 'error[RK808]: "ridlkit.config.js" failed to run: no luck\n'],
  [
    "ridlkit.config.js",
    "export default { schemas: [{ entry: 7 }] }",
    "error[RK803]: schemas[0].entry must be a non-empty string, found 7.\n --> ridlkit.config.js\n",
  ],
  [
    "ridlkit.config.yaml",
    "schemas: [{ entry: s/good.ridl }]\n---\nstrict: true\n",
    "error[RK801]: The configuration is not valid YAML: a second document starts here, but a configuration is a single document",
  ],
])("%s with %j is refused", async (name, text, start) => {
  using dir = folder({ ...files, [name]: text });
  const { code, out, err } = await ridlkit(["lint"], { cwd: dir.path });
  expect({ code, out, start: err.slice(0, start.length) }).toEqual({ code: 2, out: "", start });
  expect(err).not.toContain("    at ");
});

test.each([
  ["gone.json", 'error[RK201]: Cannot read "gone.json": it does not exist.'],
  ["gone.ts", 'error[RK201]: Cannot read "gone.ts": it does not exist.'],
  [".", 'error[RK810]: Cannot tell the format of "." from its name.'],
  ["x.toml", 'error[RK810]: Cannot tell the format of "x.toml" from its name.'],
])("--config %s is refused", async (path, start) => {
  using dir = folder({ "package.json": "{}" });
  const { code, out, err } = await ridlkit(["lint", "--config", path], { cwd: dir.path });
  expect({ code, out, start: err.slice(0, start.length) }).toEqual({ code: 2, out: "", start });
});

test.each([
  [{ RIDLKIT_STRICT: "yes" }, 'The environment variable RIDLKIT_STRICT takes 1 or 0; found "yes".'],
  [
    { RIDLKIT_FORMAT: "xml" },
    'The environment variable RIDLKIT_FORMAT takes text, json, github or sarif; found "xml".',
  ],
])("%j is refused", async (env, message) => {
  using dir = folder(files);
  const { code, out, err } = await ridlkit(["lint", "s/good.ridl"], { cwd: dir.path, env });
  expect({ code, out, err }).toEqual({ code: 2, out: "", err: `ridlkit: ${message}\nSee: ridlkit help\n` });
});

test("RIDLKIT_FORMAT chooses the form, --format goes before it, and empty is unset", async () => {
  using dir = folder(files);
  const outOf = async (flags: readonly string[], format: string) =>
    (await ridlkit(["lint", "s/good.ridl", ...flags], { cwd: dir.path, env: { RIDLKIT_FORMAT: format } }))
      .out;
  expect((await outOf([], "json"))[0]).toBe("{");
  expect(await outOf(["--format=text"], "json")).toBe(lintsGood.out);
  expect(await outOf([], "")).toBe(lintsGood.out);
});
