/**
 * What ridlkit is for, by its tarballs alone: a project is begun, its schema is edited, the compiler names the handler, the handler is
 * written, Koa hosts it, the generated client calls it, a broken request is refused, and the reply fits the emitted JSON Schema.
 */
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../stacks/started.ts";
import { root } from "../support/docs.ts";
import { isSkipped, npmFlags, pack } from "./pack.ts";

const execute = promisify(execFile);
/** The oldest version of Node.js that is promised, where `npm ci --prefix test/node-versions` has brought it. */
const oldest = join(root, "test/node-versions/node_modules/node-20/bin/node");
const node = existsSync(oldest) ? oldest : process.execPath;

let folder: string;
let hello: string;
let ridlkit: string;
let init: readonly string[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ridlkit-mission-"));
  hello = join(folder, "hello");
  init = [join(folder, "package/dist/ridlkit.js"), "init"];
  if (isSkipped) return;
  ({ ridlkit } = await pack(folder));
  // As npx has it, before anything is installed.
  execFileSync("tar", ["-xzf", ridlkit], { cwd: folder });
  const { stdout } = await execute(node, [...init, "hello", "--ridlkit", ridlkit], { cwd: folder });
  expect(stdout).toContain("Next:\n  cd hello\n  npm install\n  npm run dev\n");
  const logs = join(folder, "logs");
  await execute("npm", ["install", ...npmFlags, `--logs-dir=${logs}`], { cwd: hello });
  if (!existsSync(join(hello, "node_modules/.bin/ridlkit")))
    throw new Error(
      `npm installed no program ridlkit.\n${readdirSync(logs).map((name) => readFileSync(join(logs, name), "utf8"))}`,
    );
});
// Thousands of files of packages.
afterAll(() => rm(folder, { recursive: true, force: true }), 120_000);

const edits = {
  ridl: {
    schema: "schema/hello.ridl",
    changes: [
      ["# Greets", "type Name: string\n  + minLength = 1\n\n# Greets"],
      ["(name: string) => (greeting: string)", "(name: Name) => (greeting: string, letters: uint32)"],
    ],
  },
  yaml: {
    schema: "schema/hello.yaml",
    changes: [
      ["services:\n", "types:\n  Name: { type: string, minLength: 1 }\n\nservices:\n"],
      ["name: string", "name: Name"],
      ["greeting: string", "greeting: string, letters: uint32"],
    ],
  },
} as const;

interface Printed {
  readonly reply: unknown;
  readonly bad: unknown;
}

const client = `import { Hello, result } from "./generated/client.ts";

const hello = new Hello(process.argv[2] ?? "");
const reply = await hello.greet({ name: "Ann" });
const bad = await result(hello.greet({ name: "" }));
if (bad.ok) throw new Error("an empty name was accepted");
const { code, name, cause, issues } = bad.error;
console.log(JSON.stringify({ reply, bad: { code, name, cause, issues } }));
`;

describe.skipIf(isSkipped).each(["ridl", "yaml"] as const)(
  "from the tarballs to an answered call, in %s",
  (form) => {
    let project: string;
    const at = (path: string): string => join(project, path);
    const npm = (...args: string[]): Promise<unknown> => execute("npm", args, { cwd: project });
    const edit = (path: string, before: string, after: string): void => {
      const text = readFileSync(at(path), "utf8");
      expect(text).toContain(before);
      writeFileSync(at(path), text.replace(before, after));
    };

    beforeAll(async () => {
      project = form === "ridl" ? hello : join(folder, "hello-yaml");
      if (form === "ridl") return;
      mkdirSync(project);
      // The same project, begun in the same way, with what npm has installed once.
      await execute(node, [...init, "--ridlkit", ridlkit], { cwd: project });
      symlinkSync(join(hello, "node_modules"), at("node_modules"));
      await execute(
        "npx",
        ["ridlkit", "convert", "schema/hello.ridl", "-o", "schema/hello.yaml", "--to", "yaml"],
        {
          cwd: project,
        },
      );
      rmSync(at("schema/hello.ridl"));
      edit("ridlkit.config.json", "hello.ridl", "hello.yaml");
    });

    test("the project as it begins compiles, and its test passes", async () => {
      await npm("test");
      await npm("exec", "tsc");
    });

    test("an edit of the schema names the handler that has to follow", async () => {
      const { schema, changes } = edits[form];
      for (const [before, after] of changes) edit(schema, before, after);
      await npm("run", "generate");
      await expect(npm("exec", "tsc")).rejects.toMatchObject({
        stdout: expect.stringMatching(
          /^handlers\/Hello\/Greet[.]ts[(]3,14[)]: error TS.*'letters' is missing/s,
        ),
      });
      edit("handlers/Hello/Greet.ts", "}!` };", "}!`, letters: req.name.length };");
      await npm("exec", "tsc");
    });

    test("Koa hosts it, its client calls it, bad input is refused, and the reply fits the JSON Schema", async () => {
      await npm("run", "build");
      writeFileSync(at("client.ts"), client);
      const host = spawn(node, ["dist/main.js"], {
        cwd: project,
        env: { ...process.env, PORT: String(await freePort()) },
        stdio: ["ignore", "pipe", "inherit"],
      });
      const ended = once(host, "exit");
      try {
        const [line] = (await once(host.stdout, "data")) as [Buffer];
        const url = String(line).trim();
        const tsx = at("node_modules/tsx/dist/cli.mjs");
        const { stdout } = await execute(node, [tsx, "client.ts", url], { cwd: project });
        const { reply, bad } = JSON.parse(stdout) as Printed;
        expect(reply).toEqual({ greeting: "Hello, Ann!", letters: 3 });
        expect(bad).toMatchObject({
          code: -4,
          name: "WebrpcBadRequest",
          cause: expect.stringContaining("/name"),
          issues: [
            { path: ["name"], message: expect.any(String), expected: expect.any(String), found: '""' },
          ],
        });
        const document = JSON.parse(readFileSync(at("generated/json-schema/schema.json"), "utf8")) as object;
        const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, "hello");
        const fits = ajv.getSchema("hello#/$defs/GreetResponse");
        expect([fits?.(reply), fits?.errors]).toEqual([true, null]);
        expect(fits?.({ greeting: "Hello, Ann!" })).toBe(false);
      } finally {
        host.kill("SIGTERM");
      }
      expect((await ended)[0]).toBe(0);
    });
  },
);
