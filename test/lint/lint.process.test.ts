/**
 * Generated code and the runtime pass the linters of users, without suppressions. The only exception is the explorer's page, which
 * docs/explorer.md excludes.
 */
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ridlkitProcess } from "../support/program.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));
const root = join(folder, "../..");
const made = join(folder, ".made");
const fixtures = join(root, "test/fixtures");

/** ESLint, which .ci/run installs: `npm ci --prefix test/lint`. */
const isInstalled = existsSync(join(folder, "node_modules"));
if (!isInstalled && process.env["CI"] === "true") throw new Error("npm ci --prefix test/lint was not run");

const targets = [
  "types",
  "errors",
  "client",
  "server",
  "validators",
  "recorder",
  "standard-schema",
  "mcp",
  "explorer",
];

const otherForms = { int64: "bigint", timestamps: "Date", enums: "closed" };

beforeAll(async () => {
  rmSync(made, { recursive: true, force: true });
  mkdirSync(made);
  cpSync(join(root, "generator/runtime/src"), join(made, "runtime"), { recursive: true });
  const names = readdirSync(fixtures).filter((name) => existsSync(join(fixtures, name, "schema.ridl")));
  const schemas = names.flatMap((name) => {
    const entry = `${name}/schema.ridl`;
    cpSync(join(fixtures, entry), join(made, entry));
    const errors = { "-8": { name: "Left", message: "left" } };
    return [
      { entry, targets, name, out: `out/${name}` },
      { entry, targets, name: `${name}2`, out: `out/${name}2`, protocolErrors: errors, ...otherForms },
    ];
  });
  writeFileSync(join(made, "package.json"), '{ "type": "module" }');
  writeFileSync(join(made, "ridlkit.config.json"), JSON.stringify({ schemas }));
  expect(await ridlkitProcess(["generate", "--quiet"], { cwd: made })).toMatchObject({ code: 0 });
});

afterAll(() => rmSync(made, { recursive: true, force: true }));

test.runIf(isInstalled)("the strict rules of typescript-eslint report nothing", async () => {
  const eslint = join(folder, "node_modules/eslint/bin/eslint.js");
  const config = join(folder, "eslint.config.mjs");
  expect(await run(eslint, ["--config", config, "--max-warnings", "0", "out", "runtime"])).toBe("");
});

test("the recommended rules of Biome report no warning", async () => {
  const rules = { preset: "recommended" };
  const files = { includes: ["**", "!**/explorer"] };
  writeFileSync(join(made, "biome.json"), JSON.stringify({ root: true, files, linter: { rules } }));
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
  // Information, such as "value.id" for `value["id"]`, contradicts the compiler's noPropertyAccessFromIndexSignature.
  const options = ["lint", "--diagnostic-level=warn", "--error-on-warnings", "--reporter=github"];
  expect(await run(biome, [...options, "out", "runtime"])).not.toMatch(/^::(warning|error)/m);
});

/** Returns what a program prints, and its exit code if it fails. */
function run(program: string, parameters: readonly string[]): Promise<string> {
  return new Promise((done) => {
    execFile(process.execPath, [program, ...parameters], { cwd: made, maxBuffer: 1e9 }, (error, out, err) =>
      done(error === null ? out : `${out}${err}exit code ${error.code}`),
    );
  });
}
