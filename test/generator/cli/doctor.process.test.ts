import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { examine, type SetUp } from "../../../generator/doctor/examine.ts";
import { type Folder, folder, ridlkit } from "../../support/program.ts";

let dir: Folder;

beforeEach(async () => {
  dir = folder({});
  await run("init");
  await run("generate");
  const { out: version } = await run("--version");
  write("node_modules/ridlkit/package.json", JSON.stringify({ version: version.trim() }));
});

afterEach(() => dir[Symbol.dispose]());

test("what init makes is well", async () => {
  execFileSync("git", ["init", "-q"], { cwd: dir.path });
  const { code, out } = await run("doctor");
  expect([code, out.split("\n").filter((line) => !line.startsWith("fine  "))]).toEqual([0, [""]]);
});

test.each<[string, string, number, () => void]>([
  [
    "another version",
    "has 9.9.9 installed",
    1,
    () => write("node_modules/ridlkit/package.json", '{ "version": "9.9.9" }'),
  ],
  ["no version", "is not among the project's packages", 0, () => remove("node_modules")],
  ["no schema", "schema/hello.ridl does not exist", 1, () => remove("schema")],
  [
    "stale output",
    "generated is not up to date: stale",
    1,
    () => write("schema/hello.ridl", "webrpc = v1\nname = a\n"),
  ],
  ["edited output", "generated is not up to date: edited", 1, () => write("generated/types.ts", "")],
  ["a lock", "generated/.ridlkit.lock was left", 0, () => write("generated/.ridlkit.lock", "1")],
  ["no handlers", "There are no handlers in handlers", 0, () => remove("handlers")],
  ["no modules", 'does not say "type": "module"', 1, () => write("package.json", "{}")],
  ["a broken package.json", "package.json is no JSON", 1, () => write("package.json", "{")],
  ["no .ts imports", 'allows no imports that end with ".ts"', 1, () => tsconfig('"module": "nodenext"')],
  ["CommonJS", "has module commonjs", 1, () => tsconfig('"module": "commonjs"')],
  ["an old target", "has target es2015", 1, () => tsconfig('"target": "es2015", "module": "nodenext"')],
  [
    "inherited options",
    "has target es2017",
    1,
    () => {
      write("base.json", '{ "compilerOptions": { "target": "es2017" /* old */ } }');
      write("tsconfig.json", '{ "extends": "./base.json", // mine\n "compilerOptions": {} }');
    },
  ],
  ["a broken tsconfig.json", "tsconfig.json: ", 1, () => write("tsconfig.json", "{{")],
  [
    "ignored output",
    "generated is ignored by Git",
    0,
    () => {
      execFileSync("git", ["init", "-q"], { cwd: dir.path });
      write(".gitignore", "generated/\n");
    },
  ],
  [
    "no attributes",
    '".ridlkit-handlers.json merge=union" to .gitattributes',
    0,
    () => {
      execFileSync("git", ["init", "-q"], { cwd: dir.path });
      write(".gitattributes", "# .ridlkit.manifest merge=union\n");
    },
  ],
])("%s: told, with what to do", async (_case, says, code, spoil) => {
  spoil();
  const answer = await run("doctor");
  expect(answer).toMatchObject({ code, out: expect.stringContaining(says), err: "" });
  const findings = (JSON.parse((await run("doctor", "--format", "json")).out) as { findings: object[] })
    .findings;
  expect(findings).toContainEqual(
    expect.objectContaining({
      level: code === 1 ? "fault" : "advice",
      remedy: expect.stringMatching(/[.]$/),
    }),
  );
});

test("without a configuration it says how to get one", async () => {
  remove("ridlkit.config.json");
  expect(await run("doctor")).toMatchObject({
    code: 2,
    err: expect.stringContaining("ridlkit init makes one"),
  });
});

test("an old Node.js is told", () => {
  const setUp: SetUp = {
    node: "18.20.0",
    version: "1.0.0",
    installed: "1.0.0",
    schemas: [],
    packageText: '{ "type": "module" }',
    attributes: "",
    isInGit: false,
    compiler: undefined,
  };
  expect(examine(setUp)[0]).toMatchObject({ level: "fault", message: "Node.js 18.20.0 is too old." });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(dir.path, path)), { recursive: true });
  writeFileSync(join(dir.path, path), text);
}

function remove(path: string): void {
  rmSync(join(dir.path, path), { recursive: true });
}

function tsconfig(options: string): void {
  write("tsconfig.json", `{ "compilerOptions": { ${options} } }`);
}

function run(...args: string[]): ReturnType<typeof ridlkit> {
  const path = process.env["PATH"] ?? "";
  return ridlkit(args, { cwd: dir.path, env: { PATH: path } });
}
